import * as pulumi from "@pulumi/pulumi";
import { AddressPool, Layer2Switch, TunnelKeyPool } from "pulumi-ovn";

/** As Pulumi's page on unit tests shows them: the state is the inputs. */
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
  call: ({ inputs }) => inputs as object,
};

const valueOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

it("registers pools and resources that use them with Pulumi's mocks, which return the inputs", async () => {
  await pulumi.runtime.setMocks(mocks);
  const keys = new TunnelKeyPool("keys", { owners: { blue: 1 } });
  const addresses = new AddressPool("addresses", { subnets: ["10.0.0.0/24"], owners: ["blue"] });
  const sw = new Layer2Switch("sw", {
    zone: "node1",
    name: "l2",
    subnets: ["203.203.0.0/16"],
    tunnelKey: keys.of("blue")[0]!,
    externalIds: { address: addresses.of("blue")[0]! },
  });
  await pulumi.runtime.disconnect(); // waits for all that is in progress, and fails as `pulumi up` does
  expect([await valueOf(sw.id), await valueOf(sw.name), await valueOf(sw.uuid)]).toEqual(["sw-id", "l2", undefined]);
  expect([await valueOf(keys.keys), await valueOf(keys.of("blue")), await valueOf(addresses.of("blue"))]).toEqual([undefined, undefined, undefined]);
});
