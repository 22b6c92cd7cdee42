/** Replay of expedited grace periods (R5.1 to R5.6). */
import { KIND, RCU_EXP } from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { GP_STEP } from '../engine/tree/gpSeq.ts';
import { forEachBit } from './rcuGeometry.ts';
import type { RcuReplay } from './rcuReplay.ts';
import { RCU_EXP_STAGE } from './rcuStateTypes.ts';

/** Applies a row of an expedited grace period; others change nothing. */
export function applyExpedited(rcu: RcuReplay, event: EventRow, row: number): void {
  const { scalars, nodes, cpus, geometry } = rcu;
  switch (event.kind) {
    case KIND.rcu_exp_grace_period:
      applyPhase(rcu, event, row);
      break;
    case KIND.rcu_exp_select: {
      const { a: leaf, b: lo, c: hi } = event;
      nodes.expmaskLo[leaf] = lo;
      nodes.expmaskHi[leaf] = hi;
      const first = geometry.nodes[leaf]?.grplo ?? 0;
      forEachBit(lo, hi, (bit) => {
        cpus.expStage[first + bit] = RCU_EXP_STAGE.owes;
      });
      nodes.expTasks[leaf] = 0;
      for (const reader of rcu.blocked.values()) {
        if (reader.leaf !== leaf) continue;
        reader.blocksExpedited = true;
        nodes.expTasks[leaf] = (nodes.expTasks[leaf] as number) + 1;
      }
      break;
    }
    case KIND.rcu_exp_ipi:
      scalars.ipis++;
      cpus.expStage[event.a] = RCU_EXP_STAGE.ipiSent;
      break;
    case KIND.rcu_exp_handler:
      scalars.answered++;
      if (event.a > 0)
        cpus.expStage[event.track] = event.a === 1 ? RCU_EXP_STAGE.mustResched : RCU_EXP_STAGE.inReader;
      break;
    case KIND.rcu_exp_report: {
      const node = event.b >> 1;
      nodes.expmaskLo[node] = (nodes.expmaskLo[node] as number) & ~event.c;
      nodes.expmaskHi[node] = (nodes.expmaskHi[node] as number) & ~event.d;
      if (node < geometry.firstLeaf) break;
      const first = geometry.nodes[node]?.grplo ?? 0;
      forEachBit(event.c, event.d, (bit) => {
        cpus.expStage[first + bit] = RCU_EXP_STAGE.reported;
      });
      break;
    }
    default:
  }
}

function applyPhase(rcu: RcuReplay, event: EventRow, row: number): void {
  const { scalars, nodes, cpus, geometry } = rcu;
  switch (event.a) {
    case RCU_EXP.snap: {
      // the caller's own row comes just before
      for (const call of rcu.calls.values()) if (call.row === event.cause) call.expTarget = event.b;
      break;
    }
    case RCU_EXP.start:
      scalars.expSeq = event.b - GP_STEP + 1;
      scalars.expTarget = event.b;
      scalars.expPhase = 1;
      scalars.expStartNs = event.timeNs;
      scalars.expStartRow = row;
      scalars.ipis = 0;
      scalars.answered = 0;
      cpus.expStage.fill(RCU_EXP_STAGE.none);
      break;
    case RCU_EXP.reset:
      scalars.expPhase = 2;
      geometry.nodes.forEach(({ children }, node) => {
        nodes.expmaskLo[node] = children >= 32 ? 0xffffffff : 2 ** children - 1;
        nodes.expmaskHi[node] = children <= 32 ? 0 : 2 ** (children - 32) - 1;
      });
      break;
    case RCU_EXP.startwait:
      scalars.expPhase = 3;
      break;
    case RCU_EXP.end:
      scalars.expSeq = event.b;
      scalars.expPhase = 4;
      break;
    case RCU_EXP.endwake:
      scalars.expPhase = 0;
      break;
    default:
  }
}
