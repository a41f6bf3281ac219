// Whether a state has everything that decides what is admitted.
import type { AccessState, Part } from '../state/accessState.ts';

const NEEDED: readonly Part[] = [
  'peers',
  'groups',
  'policies',
  'posture_checks',
  'networks',
  'routes',
];

/** Whether all lists were read that decide what is admitted: of an account that is not, nobody knows what admits a flow. */
export const isWhollyRead = ({ unread }: AccessState): boolean =>
  !NEEDED.some(part => unread.has(part));
