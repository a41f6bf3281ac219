// Whether every list of a state that determines admission was read.
import type { AccessState, Part } from '../state/accessState.ts';

const NEEDED: readonly Part[] = [
  'peers',
  'groups',
  'policies',
  'posture_checks',
  'networks',
  'routes',
];

/** Whether all lists were read that determine admission. Otherwise, it is unknown which rule admits a flow. */
export const isWhollyRead = ({ unread }: AccessState): boolean =>
  !NEEDED.some(part => unread.has(part));
