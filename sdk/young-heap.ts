import { setFlagsFromString } from "node:v8";
import { startedByPulumi } from "@pulumi-ovn/provider/compiled";

/** V8 reads the factor each time that its young generation would grow. */
const NO_GROWTH = "--semi-space-growth-factor=1";

// For the processes that Pulumi runs a stack in, before anything large is loaded. To load Pulumi takes V8's young generation to twice
// 16 MB, which is the most in Node.js 22; in Node.js 24 it goes on to twice 32, and what it holds then is almost all garbage. A program
// that is part of another process (Automation API) says nothing about that one's memory.
if (startedByPulumi()) setFlagsFromString(NO_GROWTH);
