import { fold, layout, type PicturedResource, sceneOf, svg, type ViewName } from "@pulumi-ovn/cli/testing";
import { drawnNetwork } from "../../support/drawn-network";
import { vpcState } from "../../support/vpc-state";
import { SAMPLE } from "../vpc/sample";

const draw = (view: ViewName, after: readonly PicturedResource[], before?: readonly PicturedResource[]) =>
  svg(layout(fold(sceneOf({ stack: "net/dev", before, after }, view))));

const resource = (kind: string, name: string, inputs: Record<string, unknown>): PicturedResource => {
  const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
  return { urn: `urn:pulumi:dev::net::${type}::${name}`, type, inputs };
};

const nodes = { alpha: { addresses: ["172.20.0.11/24"] }, beta: { addresses: ["172.20.0.12/24"] }, gamma: { addresses: ["172.20.0.13/24"] } };
const guests = {
  mail: { zone: "alpha", addresses: ["10.0.0.21"] },
  web: { zone: "beta", addresses: ["10.0.0.22"] },
  db: { zone: "gamma", addresses: ["10.0.0.23"] },
};
const red = drawnNetwork("red", nodes, guests);
const moved = drawnNetwork("red", nodes, { ...guests, mail: { zone: "gamma", addresses: ["10.0.0.21"] } });
/** In two zones that are not adjacent in a picture. */
const lab = drawnNetwork("lab", { alpha: { addresses: ["192.168.7.11/24"] }, delta: { addresses: ["192.168.7.14/24"] } });
const egress = (zone: string, address: string, workloads: readonly string[]) =>
  resource("EgressAddress", address, { zone, gatewayRouterName: `GR_red_${zone}`, address, workloads });
const { deployment } = vpcState(SAMPLE) as unknown as { deployment: { resources: PicturedResource[] } };
const vpc = deployment.resources.filter(({ inputs }) => inputs !== undefined);

interface Piece {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Outlines of a picture's boxes. A box has several if it is not in the columns between. */
function piecesOf(picture: string): Piece[] {
  return [...picture.matchAll(/<g class="box [^>]*data-box="([^"]*)">([^]*?)<text/g)].flatMap(([, id, inner]) =>
    [...inner!.matchAll(/<(?:rect|path) class="shape" ([^>]*)>/g)].map(([, attributes]) => {
      const numbers = [...attributes!.matchAll(/-?\d+(\.\d+)?/g)].map(([number]) => Number(number));
      if (attributes!.startsWith("x=")) {
        const [x, y, width, height] = numbers as [number, number, number, number];
        return { id: id!, left: x, right: x + width, top: y, bottom: y + height };
      }
      const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, index) => index % 2 === axis)) as [number[], number[]];
      return { id: id!, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    }),
  );
}

type Point = readonly [x: number, y: number];

/** Straight parts of a picture's links, and the ends of the links. */
function linesOf(picture: string): { parts: (readonly [Point, Point])[]; ends: Point[] } {
  const parts: (readonly [Point, Point])[] = [];
  const ends: Point[] = [];
  for (const [, path] of picture.matchAll(/<path class="link [^"]*" d="([^"C]*)"/g)) {
    let at: Point = [0, 0];
    const points = [...path!.matchAll(/([MHV])(-?[\d.]+)(?: (-?[\d.]+))?/g)].map(([, command, one, other]): Point => {
      const next: Point = command === "M" ? [Number(one), Number(other)] : command === "H" ? [Number(one), at[1]] : [at[0], Number(one)];
      if (command !== "M") parts.push([at, next]);
      return (at = next);
    });
    ends.push(points[0]!, points.at(-1)!);
  }
  return { parts, ends };
}

const runsOf = (pieces: readonly Piece[], name: string) => pieces.filter(({ id }) => id === name).map(({ left, right }) => [left, right]);

it("draws a box only over its columns", () => {
  const picture = draw("topology", [...red, ...lab]);
  const pieces = piecesOf(picture);
  const columns = [...picture.matchAll(/class="column" x="(\d+)"[^>]*width="(\d+)"/g)].map(([, x, width]) => [Number(x), Number(x) + Number(width)] as const);
  const [alpha, beta, delta, gamma] = columns.map((column) => [...column]);
  for (const name of ["network lab switch", "network lab transit", "outside physnet 192.168.7.0/24"]) expect(runsOf(pieces, name)).toEqual([alpha, delta]);
  for (const name of ["network red switch", "network red transit", "outside physnet 172.20.0.0/24"])
    expect(runsOf(pieces, name)).toEqual([[alpha![0], beta![1]], gamma]);
  expect(picture.match(/class="joint"/g)).toHaveLength(6);
});

it("draws a network's added and removed parts of its switch", () => {
  const { alpha, beta } = nodes;
  const fewer = drawnNetwork("red", { alpha, beta });
  const partsOf = (before: readonly PicturedResource[], after: readonly PicturedResource[]) =>
    /data-box="network red switch">[^]*?<\/title>(.*?)<text/.exec(draw("topology", after, before))![1]!.replace(/ (x|y|width|height|rx|d)="[^"]*"/g, "");
  const [shape, joint] = ['<rect class="shape"/>', '<path class="joint"/>'];
  expect(partsOf(fewer, red)).toBe(`${shape}<g class="added"><title>switch of red (part added)</title>${shape}</g>${joint}`);
  expect(draw("topology", red, fewer)).not.toContain("external network physnet (part");
  expect(partsOf(red, fewer)).toBe(`${shape}<g class="removed"><title>switch of red (part removed)</title>${shape}</g>${joint}`);
});

it.each<[name: string, picture: () => string]>([
  ["networks", () => draw("topology", [...red, ...lab])],
  ["egress addresses", () => draw("egress", [...red, egress("alpha", "172.20.0.201", ["10.0.0.21"])])],
  ["the tiers of a VPC", () => draw("topology", vpc)],
  ["a move", () => draw("topology", moved, red)],
])("no link of %s touches a box that is not at its end", (_, picture) => {
  const drawn = picture();
  const { parts, ends } = linesOf(drawn);
  expect(parts.length).toBeGreaterThan(3);
  expect(piecesOf(drawn).length).toBeGreaterThan(6);
  const isEnd = (x: number, y: number) => ends.some(([a, b]) => a === x && b === y);
  for (const [from, to] of parts)
    for (const { id, left, right, top, bottom } of piecesOf(drawn)) {
      const [x1, x2] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
      const [y1, y2] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
      if (x2 < left || x1 > right || y2 < top || y1 > bottom) continue;
      // It touches the box: only at the border, with its end.
      const isInside = x2 > left && x1 < right && y2 > top && y1 < bottom;
      expect([id, isInside, [from, to].some(([x, y]) => isEnd(x, y))]).toEqual([id, false, true]);
    }
});

it("draws lines behind a box as dots, and the arrow of a move around boxes", () => {
  const behind = [...draw("topology", [...red, ...lab]).matchAll(/class="behind" d="([^"]*)"/g)].map(([, path]) => path!.match(/M/g)!.length);
  // GR_red_alpha is linked behind the second external network, and the transit router and the switch of lab; GR_red_beta passes gaps only.
  expect(behind).toEqual([3]);
  expect(draw("topology", moved, red)).toMatch(/<path class="link moved" d="M\d+ \d+H\d+V\d+H\d+V\d+H\d+" marker-end/);
});

describe("a list", () => {
  const balancer = (backends: string) =>
    resource("NorthboundRows", "shop", {
      zone: "alpha",
      entries: {
        shop: { table: "Load_Balancer", columns: { name: "shop", vips: { "172.20.0.80:443": backends } } },
        mail: { table: "NAT", columns: { type: "dnat_and_snat", external_ip: "172.20.0.90", logical_ip: "10.0.0.21" } },
      },
    });
  const factsOf = (view: ViewName, title: string, after: readonly PicturedResource[], before: readonly PicturedResource[]) =>
    sceneOf({ stack: "net/dev", before, after }, view)
      .boxes.find((box) => box.title === title)!
      .facts.map(({ joint = "", name, value, status }) => `${status}: ${joint} ${name} ${value}`.replace(/ +/g, " "));
  const [old, wanted] = [
    [...red, balancer("10.0.0.22:8443, 10.0.0.23:8443")],
    [...red, balancer("10.0.0.22:8443")],
  ];

  it("has only its lost backend crossed out, and its minus next to the line", () => {
    const kept = "172.20.0.80:443 to 10.0.0.22:8443";
    const lost = "172.20.0.80:443 to 10.0.0.23:8443";
    expect(factsOf("topology", "load balancer shop", wanted, old)).toEqual([`same: ${kept}`, `removed: ${lost}`]);
    const picture = draw("topology", wanted, old);
    expect([...picture.matchAll(/<tspan class="gone">([^<]*)</g)].map(([, text]) => text).join(" ")).toBe(lost);
    expect(picture.match(/<tspan class="sign removed">− <\/tspan>/g)).toHaveLength(1);
  });

  it("of rows names the workload of a floating address", () => {
    expect(factsOf("topology", "172.20.0.90", old, old)).toEqual(["same: floating address for mail 10.0.0.21"]);
    const twice = [...old, ...drawnNetwork("blue", { alpha: {} }, { other: { zone: "alpha", addresses: ["10.0.0.21"] } })];
    expect(factsOf("topology", "172.20.0.90", twice, twice)).toEqual(["same: floating address for 10.0.0.21"]);
  });

  it('of egress addresses has the word "or", and the address of a gateway router without them', () => {
    const before = [...red, egress("alpha", "172.20.0.201", ["10.0.0.21"]), egress("gamma", "172.20.0.202", ["10.0.0.21"])];
    const after = [...red, egress("beta", "172.20.0.201", ["10.0.0.21"]), egress("gamma", "172.20.0.202", ["10.0.0.21", "10.0.0.22"])];
    expect(factsOf("egress", "mail", after, before)).toEqual([
      "same: 10.0.0.21",
      "removed: leaves as 172.20.0.201 on alpha",
      "added: leaves as 172.20.0.201 on beta",
      "same: or leaves as 172.20.0.202 on gamma",
    ]);
    expect(factsOf("egress", "db", after, before)).toEqual(["same: 10.0.0.23", "same: leaves as 172.20.0.13 by the gateway router on gamma"]);
    expect(factsOf("egress", "172.20.0.202", after, before)).toEqual(["same: egress address for mail", "added: egress address for web"]);
  });

  it("of more than ten facts has the changed ones, and the number of the others", () => {
    const many = (count: number) => [...red, balancer(Array.from({ length: count }, (_, index) => `10.0.1.${index}:80`).join(","))];
    const picture = draw("topology", many(40), many(41));
    expect(picture.match(/>172\.20\.0\.80:443 to/g)).toHaveLength(9);
    expect(picture).toContain(">32 more</tspan>");
    expect(picture).toContain('<tspan class="gone">10.0.1.40:80</tspan>');
  });
});
