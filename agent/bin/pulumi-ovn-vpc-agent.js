#!/usr/bin/env node
// The agent of a VPC's host, for hosts that install this package and nothing of Pulumi.
"use strict";
const { VPC_AGENT_OPTIONS, vpcAgentCommand } = require("../dist/vpc");
const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) process.stdout.write(`Usage: pulumi-ovn-vpc-agent [OPTIONS]\n\n${VPC_AGENT_OPTIONS}`);
else
  vpcAgentCommand(args).then(
    (code) => (process.exitCode = code),
    ({ code, message }) => {
      process.stderr.write(`pulumi-ovn-vpc-agent: ${typeof code === "string" ? `${code}: ` : ""}${message}\n`);
      process.exitCode = code === "OVN_USAGE" ? 2 : 1;
    },
  );
