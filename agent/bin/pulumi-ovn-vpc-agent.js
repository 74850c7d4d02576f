#!/usr/bin/env node
// The agent of a VPC's host, for hosts that install this package and nothing of Pulumi.
"use strict";
const { runVpcProgram } = require("../dist/command/program");
void runVpcProgram("pulumi-ovn-vpc-agent", process.argv.slice(2));
