import { count, rest } from "../rest";
import type { Shown, Table } from "../section";
import { type ChassisFacts, type ExposureFacts, isWrong } from "./facts";

/** Pure. An exposure as people read it. */
export function exposureTables(facts: ExposureFacts, { all }: Shown): Table[] {
  return [chassisTable(facts), addressTable(facts, all)];
}

function chassisTable({ name, zone, mode, chassis }: ExposureFacts): Table {
  return {
    title: `BGP exposure ${name}: zone ${zone}, mode ${mode}, ${count(chassis.length, "chassis")}`,
    columns: ["CHASSIS", "REACHED", "TABLE", "ANNOUNCED", "DETAIL"],
    rows: chassis.map((one) => ({
      cells: [one.chassis, one.reached ? "yes" : "no", one.tables.join(", "), announcedText(one), detailOf(one)],
      error: !one.reached || one.problems.length > 0 || one.routes.some(isWrong),
    })),
  };
}

function announcedText({ routes }: ChassisFacts): string {
  const should = routes.filter(({ state }) => state !== "unexpected");
  return `${should.filter(({ state }) => state === "announced").length} of ${should.length}`;
}

const detailOf = ({ detail, problems }: ChassisFacts): string =>
  detail ?? problems.map(({ source, code, message }) => `${code ?? source}: ${message}`).join("; ");

function addressTable({ name, chassis }: ExposureFacts, all: boolean): Table {
  const every = chassis.flatMap((one) => one.routes.map((route) => ({ chassis: one.chassis, ...route })));
  const shown = all ? every : every.filter(isWrong);
  return {
    title: `BGP exposure ${name}: addresses`,
    columns: ["CHASSIS", "ADDRESS", "STATE"],
    rows: shown.map((route) => ({ cells: [route.chassis, route.prefix, route.state], error: isWrong(route) })),
    ...rest(every, shown, "address", "announced"),
  };
}
