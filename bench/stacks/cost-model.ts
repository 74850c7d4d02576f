/** A cost measured at a size. */
export interface Point {
  readonly size: number;
  readonly cost: number;
}

/** Cost by size: `a + b·n + c·n²`. */
export interface CostModel {
  at(size: number): number;
  /** Relative error of the largest point when it is computed from the others. */
  readonly error: number;
}

/** Fits at least four points by least squares of relative errors. */
export function costModel(points: readonly Point[]): CostModel {
  const ordered = points.toSorted((a, b) => a.size - b.size);
  const last = ordered.at(-1)!;
  return { at: fitted(ordered), error: fitted(ordered.slice(0, -1))(last.size) / last.cost - 1 };
}

/** Terms of a model: costs do not shrink with size, so only models without negative coefficients count. */
const TERMS: readonly (readonly number[])[] = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]];

function fitted(points: readonly Point[]): (size: number) => number {
  const models = TERMS.map((powers) => ({ powers, coefficients: coefficientsOf(points, powers) })).filter(({ coefficients }) =>
    coefficients.every((coefficient) => coefficient >= 0),
  );
  const best = models.map(({ powers, coefficients }) => {
    const at = (size: number) => powers.reduce((sum, power, index) => sum + coefficients[index]! * size ** power, 0);
    return { at, residual: points.reduce((sum, { size, cost }) => sum + (at(size) / cost - 1) ** 2, 0) };
  });
  return best.reduce((least, model) => (model.residual < least.residual ? model : least)).at;
}

/** Solves the normal equations of these terms, each point weighted by 1 / cost². */
function coefficientsOf(points: readonly Point[], powers: readonly number[]): number[] {
  const total = (value: (point: Point) => number) => points.reduce((sum, point) => sum + value(point) / point.cost ** 2, 0);
  return solved(powers.map((i) => [...powers.map((j) => total(({ size }) => size ** (i + j))), total(({ size, cost }) => size ** i * cost)]));
}

/** Solution of linear equations, each a row of coefficients and the right-hand side, by elimination with pivots. */
function solved(equations: readonly (readonly number[])[]): number[] {
  const rows = equations.map((row) => [...row]);
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows.slice(column).reduce((best, row) => (Math.abs(row[column]!) > Math.abs(best[column]!) ? row : best));
    rows[rows.indexOf(pivot)] = rows[column]!;
    rows[column] = pivot;
    for (const row of rows.filter((other) => other !== pivot)) {
      const factor = row[column]! / pivot[column]!;
      row.forEach((value, index) => (row[index] = value - factor * pivot[index]!));
    }
  }
  return rows.map((row, index) => row.at(-1)! / row[index]!);
}
