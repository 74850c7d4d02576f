// Sandbox of the example, matching index.ts.
export const tiers = {
  web: { subnet: "10.1.1.0/24", gateway: "10.1.1.1", gatewayMac: "0a:58:0a:01:01:01" },
  app: { subnet: "10.1.2.0/24", gateway: "10.1.2.1", gatewayMac: "0a:58:0a:01:02:01" },
  db: { subnet: "10.1.3.0/24", gateway: "10.1.3.1", gatewayMac: "0a:58:0a:01:03:01" },
};

export const workloads = {
  web1: { tier: "web", host: "node1", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"] },
  app1: { tier: "app", host: "node1", mac: "0a:58:0a:01:02:0b", addresses: ["10.1.2.11"] },
  app2: { tier: "app", host: "node2", mac: "0a:58:0a:01:02:0c", addresses: ["10.1.2.12"] },
  web3: { tier: "web", host: "node3", mac: "0a:58:0a:01:01:0d", addresses: ["10.1.1.13"] },
  db3: { tier: "db", host: "node3", mac: "0a:58:0a:01:03:0d", addresses: ["10.1.3.13"] },
  db4: { tier: "db", host: "node4", mac: "0a:58:0a:01:03:0e", addresses: ["10.1.3.14"] },
};

/** The virtual router's interfaces on its host, by tier. */
export const router = { host: "node4", ports: { web: "vr-web", app: "vr-app", db: "vr-db" } };
