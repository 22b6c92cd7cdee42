/** The rcu_node tree: levels, nodes, and which CPUs each covers (rcu_init_levelspread(), tree R1.8 to R1.10). */

/** RCU_FANOUT on 64-bit kernels. */
const FANOUT = 64;
/** RCU_NUM_LVLS at most. */
const MAX_LEVELS = 4;

/** One node. Nodes are numbered breadth-first, the root is 0. */
export interface NodeShape {
  readonly index: number;
  /** 0 is the root. */
  readonly level: number;
  readonly parent: number;
  /** First and last CPU. */
  readonly grplo: number;
  readonly grphi: number;
  /** Position in the parent: its bit there. */
  readonly grpnum: number;
  /** Bits in use: children, or CPUs of a leaf. */
  readonly children: number;
}

/** A tree. */
export interface Geometry {
  /** Nodes per level, root first. */
  readonly levelCounts: readonly number[];
  /** Children per node and level, root first. */
  readonly spread: readonly number[];
  readonly nodes: readonly NodeShape[];
  /** Number of the first leaf. */
  readonly firstLeaf: number;
  /** CPUs per leaf. */
  readonly leafSpan: number;
}

/** Capacity of a tree of so many levels. */
function capacity(levels: number, leafFanout: number): number {
  let cpus = leafFanout;
  for (let level = 1; level < levels; level++) cpus *= FANOUT;
  return cpus;
}

/** The tree of a kernel with `cpus` possible CPUs. `exact`: rcutree.rcu_fanout_exact, no balancing. */
export function createGeometry(cpus: number, leafFanout: number, exact = false): Geometry {
  let levels = 1;
  while (levels < MAX_LEVELS && capacity(levels, leafFanout) < cpus) levels++;
  const levelCounts: number[] = [];
  for (let level = 0; level < levels; level++)
    levelCounts.push(Math.ceil(cpus / capacity(levels - level, leafFanout)));
  const spread: number[] = new Array(levels).fill(0);
  let below = cpus;
  for (let level = levels - 1; level >= 0; level--) {
    const nodes = levelCounts[level] as number;
    const fanout = level === levels - 1 ? leafFanout : FANOUT;
    spread[level] = exact ? fanout : Math.ceil(below / nodes);
    below = nodes;
  }
  const nodes: NodeShape[] = [];
  let firstOfLevel = 0;
  let firstOfParents = 0;
  for (let level = 0; level < levels; level++) {
    const count = levelCounts[level] as number;
    const stride = spread.slice(level).reduce((product, children) => product * children, 1);
    const perParent = level === 0 ? 1 : (spread[level - 1] as number);
    for (let j = 0; j < count; j++) {
      const grplo = j * stride;
      const grphi = Math.min((j + 1) * stride, cpus) - 1;
      const below = level === levels - 1 ? cpus : (levelCounts[level + 1] as number);
      const own = spread[level] as number;
      nodes.push({
        index: firstOfLevel + j,
        level,
        parent: level === 0 ? -1 : firstOfParents + Math.floor(j / perParent),
        grplo,
        grphi,
        grpnum: level === 0 ? 0 : j % perParent,
        children: Math.max(0, Math.min(own, below - j * own)),
      });
    }
    firstOfParents = firstOfLevel;
    firstOfLevel += count;
  }
  return {
    levelCounts,
    spread,
    nodes,
    firstLeaf: nodes.length - (levelCounts[levels - 1] as number),
    leafSpan: spread[levels - 1] as number,
  };
}
