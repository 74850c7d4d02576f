import { keepCompiled } from "@pulumi-ovn/provider/compiled";
import { isStartedByPulumi } from "./started-by-pulumi";

// A program that is part of another one (Automation API) decides for itself what its process keeps.
if (isStartedByPulumi()) keepCompiled();
