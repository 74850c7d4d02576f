module.exports = globalThis.nodeRequire("@kubernetes/client-node");
