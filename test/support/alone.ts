/**
 * The test files that run in a process of their own. nock, once it is imported, stands behind every socket of the process, and
 * whatever else runs there would be asked through it.
 */
export const ALONE = [
  'api/account.test.ts',
  'api/dialect.test.ts',
  'api/failure.test.ts',
  'api/fetch.test.ts',
  'api/transport.test.ts',
  'wire/client.test.ts',
] as const;
