// Runs in a namespace of the sandbox: answers connections with the namespace's name and the sender's address, and opens connections. Reads requests
// from standard input and writes answers to standard output, a line of JSON each.
const { execFile } = require("node:child_process");
const { createSocket } = require("node:dgram");
const net = require("node:net");
const { createInterface } = require("node:readline");

const [name] = process.argv.slice(2);
const plain = (address) => address.replace(/^::ffff:/, "");
const listening = new Set();

function listenTcp(host, port) {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.on("error", () => {}).end(`${name} ${plain(socket.remoteAddress ?? "")}`));
    server.on("error", reject).listen({ host, port }, resolve);
  });
}

function listenUdp(host, port) {
  return new Promise((resolve, reject) => {
    const socket = createSocket(net.isIPv6(host) ? "udp6" : "udp4");
    socket.on("message", (_text, from) => socket.send(`${name} ${plain(from.address)}`, from.port, from.address, () => {}));
    socket.on("error", reject).bind(port, host, resolve);
  });
}

async function listen({ protocol, port, hosts }) {
  for (const host of hosts) {
    const key = [protocol, host, port].join();
    if (listening.has(key)) continue;
    listening.add(key);
    await (protocol === "tcp" ? listenTcp : listenUdp)(host, port);
  }
}

const OPENED = {
  icmp: ({ source, address, patience }) =>
    new Promise((resolve) => {
      const count = Math.ceil(patience / 500);
      execFile("ping", ["-n", "-q", `-c${count}`, "-i0.5", "-W1", "-w", String(patience / 1000), "-I", source, address], (_error, stdout) => {
        // One answer is enough; ping's exit status is about all.
        resolve(/ [1-9]\d* received/.test(stdout ?? "") ? "" : null);
      });
    }),
  tcp: ({ source, address, port, patience }) =>
    new Promise((resolve) => {
      let text = "";
      const socket = net.connect({ host: address, port, localAddress: source });
      const timer = setTimeout(() => socket.destroy(), patience);
      socket.on("data", (data) => (text += data)).on("error", () => {});
      socket.on("close", () => (clearTimeout(timer), resolve(text === "" ? null : text)));
    }),
  udp: ({ source, address, port, patience }) =>
    new Promise((resolve) => {
      const socket = createSocket(net.isIPv6(address) ? "udp6" : "udp4");
      let sending;
      const done = (text) => (clearInterval(sending), clearTimeout(timer), socket.close(), resolve(text));
      const timer = setTimeout(() => done(null), patience);
      socket.on("message", (text) => done(String(text))).on("error", () => done(null));
      const send = () => socket.send("x", () => {});
      // Without a route, the socket is not connected.
      const start = (error) => (error ? done(null) : (send(), (sending = setInterval(send, 300))));
      // A connected socket takes answers only from the address that it sends to.
      socket.bind(0, source, () => socket.connect(port, address, start));
    }),
};

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { listen: servers = [], open = [] } = JSON.parse(line);
    try {
      for (const server of servers) await listen(server);
      console.log(JSON.stringify({ answers: await Promise.all(open.map((each) => OPENED[each.protocol](each))) }));
    } catch (error) {
      console.log(JSON.stringify({ error: String(error) }));
    }
  })
  .on("close", () => process.exit());
