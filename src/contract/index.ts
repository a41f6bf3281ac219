// The public interface of the wire contract: the operations of the Management API in schemas/openapi.yaml, the lookup of an
// operation by request line, and the validation of values. Both client and emulator build on it.
export { type Contract, loadContract } from './contract.ts';
export { NETBIRD_SCHEMA } from './dialects.ts';
export {
  child,
  children,
  type DocumentNode,
  isNodeObject,
  type Node,
  type NodeObject,
  nodeAt,
} from './document.ts';
export type { Edition, Operation, Parameter, Reply } from './operations.ts';
export type { ParameterValues } from './parameters.ts';
export { type PathEntry, pathTable } from './paths.ts';
export type { Violation } from './violations.ts';
