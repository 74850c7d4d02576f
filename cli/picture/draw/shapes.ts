import type { Role } from "../model/scene";
import type { Rectangle } from "./layout";

/** Outline of a box. Each role has a form of its own, which is readable without colours. */
export function outline(role: Role, { x, y, width, height }: Rectangle): string {
  const rectangle = (radius: number) => `<rect class="shape" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
  const [right, bottom] = [x + width, y + height];
  const path = (...points: readonly (readonly [number, number])[]) => `<path class="shape" d="M${points.map(([a, b]) => `${a} ${b}`).join("L")}Z"/>`;
  switch (role) {
    case "router":
      return path([x + 9, y], [right - 9, y], [right, y + 9], [right, bottom - 9], [right - 9, bottom], [x + 9, bottom], [x, bottom - 9], [x, y + 9]);
    case "workload":
      return rectangle(9);
    case "outside":
      return rectangle(Math.min(16, height / 2));
    case "address":
      return path([x + 10, y], [right, y], [right, bottom], [x + 10, bottom], [x, y + height / 2]);
    case "service":
      return path([x, y], [right - 12, y], [right, y + 12], [right, bottom], [x, bottom]);
    case "switch":
    case "rule":
    case "host":
      return rectangle(0);
  }
}
