// The door of the library. Everything that is exported here is documented where it is made; nothing is made here.

export {
  type ApiClient,
  type ApiClientOptions,
  apiClient,
  type OperationAnswer,
  type OperationId,
  type OperationInput,
  type ReadOperationId,
} from './api/operations/client.ts';
export type * as Api from './api/operations/operations.generated.ts';
export { dispatcher } from './api/transport/dispatcher.ts';
export {
  type ReadTransport,
  readTransport,
  type TransportOptions,
  type WriteTransport,
  writeTransport,
} from './api/transport/transport.ts';
export { carryOut } from './apply/run/carryOut.ts';
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
export {
  type DesiredState,
  type LoadRequest,
  loadDesired,
  planDesired,
  type Toolbox,
  toolbox,
} from './pipeline.ts';
export { planDocument } from './report/plan/planDocument.ts';
export { planText } from './report/plan/planText.ts';
export { PLAIN, type Style } from './report/text/style.ts';
export { variablesFrom } from './source/values/variables.ts';
