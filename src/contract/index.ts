// The door to the wire contract: every operation of the Management API as schemas/openapi.yaml has it, how a request
// line leads to one, and whether a value is what the contract says. It stands below client and emulator alike.
export { type Contract, loadContract } from './contract.ts';
export { NETBIRD_SCHEMA } from './dialects.ts';
export {
  child,
  children,
  isNodeObject,
  type Node,
  type NodeObject,
  type Place,
  placeAt,
} from './document.ts';
export type { Edition, Operation, Parameter, Reply } from './operations.ts';
export type { ParameterValues } from './parameters.ts';
export { type PathEntry, pathTable } from './paths.ts';
export type { Violation } from './violations.ts';
