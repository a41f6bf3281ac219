// Tells whether every list that determines admission was read.
import type { AccessState, Part } from '../state/accessState.ts';

const NEEDED: readonly Part[] = [
  'peers',
  'groups',
  'policies',
  'posture_checks',
  'networks',
  'routes',
];

/**
 * Whether every list that determines admission was read. If one was not, it is unknown which rule
 * admits a flow.
 */
export const isWhollyRead = ({ unread }: AccessState): boolean =>
  !NEEDED.some(part => unread.has(part));
