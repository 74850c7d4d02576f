#!/usr/bin/env node
// The agents of a host, for hosts that install this package and nothing of Pulumi.
"use strict";
const { runProgram } = require("../dist/command/program");
void runProgram("pulumi-ovn-agent", process.argv.slice(2));
