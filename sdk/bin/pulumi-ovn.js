#!/usr/bin/env node
// A file of its own, because the compiler's output is not there yet, and not executable, when npm links commands.
"use strict";
const problem = require("../dist/node-version").nodeProblem();
if (problem === undefined) {
  void require("@pulumi-ovn/cli").main(process.argv.slice(2)).then((code) => (process.exitCode = code));
} else {
  process.stderr.write(`pulumi-ovn: ${problem}\n`);
  process.exitCode = 1;
}
