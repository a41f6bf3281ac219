// The public interface of the library. Every export is documented where it is defined; this file defines nothing.

export { accountBehind } from './api/account/fetch.ts';
export { dispatcher } from './api/transport/dispatcher.ts';
export {
  type ReadTransport,
  readTransport,
  type TransportOptions,
  type WriteTransport,
  writeTransport,
} from './api/transport/transport.ts';
export { applySaved } from './apply/applySaved.ts';
export { type CheckRequest, checkSaved } from './apply/checkSaved.ts';
export type { ApplyHost } from './apply/host.ts';
export type {
  AccountLock,
  Beginning,
  FirstJournal,
  HeldAccountLock,
  LockHolder,
} from './apply/lock/accountLock.ts';
export type { ReachedServer } from './apply/lock/accountServer.ts';
export { fileLock } from './apply/lock/fileLock.ts';
export { type GitLockRequest, withGitLock } from './apply/lock/withGitLock.ts';
export type { ApplyNote } from './apply/note.ts';
export { planAndApply } from './apply/planAndApply.ts';
export type { KeepSecret, RunEvent } from './apply/port.ts';
export {
  type JournalHost,
  openJournal,
  openLastJournal,
  openPlan,
} from './apply/preconditions/openPlan.ts';
export { projectSettings } from './apply/projectSettings.ts';
export { isRefusal, type Refusal } from './apply/refusal.ts';
export type { Applied, ApplyRequest, ApplySecrets } from './apply/request.ts';
export { type ResumeApproval, resumeApply } from './apply/resumeApply.ts';
export { carryOut } from './apply/run/carryOut.ts';
export { openFingerprints, otherSecrets } from './apply/secrets/fingerprintsOfRun.ts';
export type { SecretSources } from './apply/secrets/opener.ts';
export type { PlaceHost } from './apply/secrets/placeHost.ts';
export { type PlaceChoice, type SecretPlace, secretPlace } from './apply/secrets/places.ts';
export { secretSources } from './apply/secrets/sources.ts';
export { type UndoPlanning, undoApply, type WayBack } from './apply/undoApply.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './emulator/index.ts';
export type { Kind, KindTable } from './kinds/kind.ts';
export { readKinds } from './kinds/registry.ts';
export type { Dialect, DialectChoice } from './kinds/traits.ts';
export type { Change, FieldChange, LeftAlone } from './model/change.ts';
export { DIAGNOSTIC_CODES, HAZARD_CODES } from './model/codes.ts';
export { type Diagnostic, hasErrors, type Severity, type Span } from './model/diagnostic.ts';
export { ApiError, type ApiErrorCode, InvariantError } from './model/errors.ts';
export type { Desired, Lifecycle, Live, Snapshot } from './model/object.ts';
export type { Fault, Outcome, RunResult } from './model/outcome.ts';
export type { Action, Hazard, Plan } from './model/plan.ts';
export type { DesiredState } from './pipeline/loading/desiredState.ts';
export { loadDesired } from './pipeline/loading/loadDesired.ts';
export type { LoadRequest } from './pipeline/loading/loadRequest.ts';
export { planDesired } from './pipeline/planning/planDesired.ts';
export { loadSchemas, type Schemas } from './pipeline/schemas.ts';
export { planDocument } from './report/plan/planDocument.ts';
export { planText } from './report/plan/planText.ts';
export { PLAIN, type Style } from './report/text/style.ts';
export { variablesFrom } from './source/values/variables.ts';
