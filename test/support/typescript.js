module.exports = globalThis.nodeRequire("typescript");
