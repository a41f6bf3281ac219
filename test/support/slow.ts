/** Folders of tests of whole commands and scripts: most of these tests start git a few hundred times each. */
export const COMMAND_FOLDERS = ['action', 'cli', 'packaging', 'read', 'survival'] as const;

/** Folders of drawn proofs, whose slices take long. */
export const PROOF_FOLDERS = ['attribution', 'hostile', 'properties'] as const;

/** Drawn proofs in other folders, and the commands of the pages for users. */
export const PROOF_FILES = [
  'access/diff/causes.test.ts',
  'access/diff/gains.test.ts',
  'access/machines/enclosure.test.ts',
  'access/machines/replay.test.ts',
  'docs/pages.test.ts',
  'usage/findings/proof.test.ts',
] as const;
