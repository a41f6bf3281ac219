// A date that no calendar has is an error wherever a command line has a time: the platform would read it as a day of the next month.
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';

const env = { MESHFORM_TOKEN: 'nbp_x', MESHFORM_URL: 'http://127.0.0.1:9' };

test.for<readonly string[]>([
  ['lock', 'hold', '.', '--reason', 'a freeze', '--until', '2027-02-30T00:00:00Z'],
  ['access', '.', '--at', '2027-02-30'],
  ['access', '.', '--at', '2027-02-30T00:00:00Z'],
  ['test', '.', '--at', '2027-04-31'],
  ['events', 'audit', '--since', '2027-02-29'],
  ['events', 'audit', '--since', '2027-02-29T00:00:00Z'],
])('a time that does not exist is refused: %j', argv =>
  inFolder(async cwd => {
    const { code, stderr } = await meshform(argv, { cwd, env });
    expect([code, stderr]).toEqual([64, expect.stringMatching(/time/)]);
    expect(stderr).toContain(argv.at(-1));
  }),
);
