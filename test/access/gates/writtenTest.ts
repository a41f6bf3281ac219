// An access test as a file has it, for the tests of what gates find.
import type { AccessTest } from '../../../src/model/access/accessTest.ts';

const AT = { file: 'tests.yaml', line: 1, column: 1 };

/** A selector at its place. */
export const written = (text: string) => ({ text, at: AT });

/** An access test that demands nothing. */
export const TEST: AccessTest = {
  name: 'it',
  at: AT,
  allow: [],
  deny: [],
  onlyFrom: [],
  except: [],
  passesPosture: false,
};
