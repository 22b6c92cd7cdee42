/** Which kernel has which update-side call of SRCU. */
import type { SrcuApi } from '../engine/config.ts';
import { PROFILES, type ProfileId } from '../engine/profiles/profiles.ts';

/** The polled calls came with 5.11; posted patches are of the time in their name. */
const WITHOUT_POLLING: readonly ProfileId[] = [
  'v4.17',
  'v4.19',
  'v5.4',
  'v5.6',
  'v5.7',
  'v5.10',
  'tasks-2018-05-20',
  'kfree-bulk-2019-12-31',
];

/** True if this kernel has this call. */
export function kernelHasApi(kernel: ProfileId, api: SrcuApi): boolean {
  return api !== 'start_poll_synchronize_srcu' || !WITHOUT_POLLING.includes(kernel);
}

/** The profiles that have a call: "v5.18 and later", "all". */
export function releasesOfApi(api: SrcuApi): string {
  const first = PROFILES.find(({ id }) => kernelHasApi(id, api));
  return first === PROFILES[0] ? 'all' : `${first?.id} and later`;
}
