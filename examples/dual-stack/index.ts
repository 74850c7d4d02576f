import * as ovn from "pulumi-ovn";
import { tunnels } from "./chassis";
import { green } from "./green";
import { names } from "./hosts";
import { violet } from "./violet";

// Two networks on the same three hosts. One pool gives both their tunnel keys: a key once given never moves, so
// either network can go, and others can come, without touching the one that stays.
const keys = new ovn.TunnelKeyPool("keys", { owners: { green: 2, violet: 2 } });

tunnels();
const dual = green(keys.of("green"));
const six = violet(keys.of("violet"));

export const tunnelKeys = keys.keys;
export const greenGateway = dual.gateway;
export const violetGatewayMacs = Object.fromEntries(names.map((name) => [name, six[name].gatewayMac]));
