import { Server } from "node:net";
import { listen } from "@pulumi-ovn/agent/testing";

it("continues to answer after a connection could not be accepted", async () => {
  const listening = jest.spyOn(Server.prototype, "listen");
  const { url, close } = await listen({ host: "127.0.0.1", port: 0 }, { "/healthz": () => ({ status: 200, type: "text/plain", text: "ok" }) });
  try {
    (listening.mock.contexts[0] as Server).emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("ok");
  } finally {
    listening.mockRestore();
    close();
  }
});
