/** Overload: a CPU with qovld callbacks or more (cbovldmask, tree R2.13). */
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** check_cb_ovld(): the leaf is left alone while it looks right, though the bit of another CPU makes it so. */
export function checkOverload(rcu: TreeRcu, data: RcuData): void {
  const { qovld } = rcu.constants;
  if (qovld <= 0 || data.callbacks.len >= qovld === !data.leaf.cbovldmask.isEmpty) return;
  setOverload(data, qovld);
}

/** rcu_gp_cleanup() of a leaf: CPUs that are no longer overloaded lose their bit (R2.23). */
export function refreshOverload(rcu: TreeRcu, leaf: RcuNode): void {
  const { grplo, grphi } = leaf.shape;
  if (leaf.cbovldmask.isEmpty) return;
  for (let cpu = grplo; cpu <= grphi; cpu++) {
    const data = rcu.data(cpu);
    if (leaf.cbovldmask.has(data.bit)) setOverload(data, rcu.constants.qovld);
  }
}

/** check_cb_ovld_locked(). */
function setOverload(data: RcuData, qovld: number): void {
  const { cbovldmask } = data.leaf;
  if (data.callbacks.len >= qovld) cbovldmask.add(data.bit);
  else cbovldmask.delete(data.bit);
}
