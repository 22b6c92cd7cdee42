/** The engine's public face: a configuration in, a log out. */
export type {
  Actor,
  Dist,
  ExiterActor,
  HoldoutActor,
  InitialState,
  KfreeActor,
  LoadActor,
  RcuApi,
  RcuGp,
  ReaderActor,
  SimConfig,
  SrcuApi,
  Start,
  Stop,
  UpdaterActor,
  UpdaterApi,
} from './config.ts';
export {
  APIS,
  domainOfApi,
  isKvfreeApi,
  isRcuApi,
  isTasksApi,
  KVFREE_APIS,
  RCU_APIS,
  SRCU_APIS,
  TASKS_APIS,
  usesKvfree,
  usesRcu,
  usesSrcu,
  usesTasks,
} from './config.ts';
export { logDigest } from './core/digest.ts';
export {
  CALLBACK,
  KIND,
  type Kind,
  type KindName,
  kindName,
  STOP_REASON,
  TIMER_FN,
  WORK_FN,
} from './core/eventKinds.ts';
export { EventLog } from './core/eventLog.ts';
export type { RunInfo, SrcuConstants, Track } from './core/info.ts';
export { LogMemory } from './core/logMemory.ts';
export { PASS_OUTCOME, type PassInfo, packPass, unpackPass } from './core/passCode.ts';
export { type EventRow, ROW_BYTES, type RowData } from './core/rows.ts';
export { createRun, type Run, type RunLimits, type RunStatus } from './run.ts';
