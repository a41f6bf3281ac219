// The pictures of the pages are what the program prints. BLESS=1 makes them anew.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { COMPANY } from '../support/examples/company.ts';
import type { Picture } from '../support/pictures/frame.ts';
import { markdownPicture } from '../support/pictures/markdown.ts';
import { matrixPicture } from '../support/pictures/matrix.ts';
import { movingPicture, type Scene } from '../support/pictures/moving.ts';
import { terminalPicture } from '../support/pictures/terminal.ts';
import { pageAt } from './blocks.ts';

const COLUMNS = 92;

/** No picture makes a page slow. */
const LARGEST = 300_000;

async function expectPicture(path: string, picture: string): Promise<void> {
  if (process.env.BLESS === '1') await writeFile(pageAt(path), picture);
  expect(await readFile(pageAt(path), 'utf8')).toBe(picture);
  expect(picture.length).toBeLessThan(LARGEST);
  for (const part of ['<title', '<desc', '<text', '(prefers-color-scheme: dark)'])
    expect(picture).toContain(part);
}

/** A folder that `init` wrote, and an account that has what it declares. */
interface Story {
  /** What a command prints to a terminal. */
  readonly run: (command: string) => Promise<string>;
  /** Replaces a part of the desired state. */
  readonly edit: (was: string, is: string) => Promise<void>;
}

async function tell<T>(story: (told: Story) => Promise<T>): Promise<T> {
  const account = await startAccount({ dialect: 'netbird' });
  try {
    return await inFolder(async cwd => {
      const terminal = { isTerminal: true, columns: COLUMNS, answer: 'yes' };
      const options = { cwd, env: environmentOf(account), ...terminal };
      const file = join(cwd, 'network/network.yaml');
      return story({
        run: async command => {
          const words = command.split(' ');
          const { code, stdout, stderr } = await meshform(words, options);
          expect(code, stderr).toBe(words[0] === 'drift' ? 2 : 0);
          return stdout;
        },
        edit: async (was, is) => {
          const text = await readFile(file, 'utf8');
          expect(text).toContain(was);
          await writeFile(file, text.replace(was, is));
        },
      });
    });
  } finally {
    await account.close();
  }
}

/** What `plan` prints after a policy got a port. */
const planned = (flags = ''): Promise<string> =>
  tell(async ({ run, edit }) => {
    await run('init network');
    await run('apply network --yes');
    await edit('"445"', '"445", "8443"');
    return run(`plan network${flags}`);
  });

/** What `drift` prints after somebody opened every port of the gateways. */
const drifted = (flags = ''): Promise<string> =>
  tell(async ({ run, edit }) => {
    await run('init network');
    await run('apply network --yes');
    await edit('protocol: icmp', 'protocol: all');
    await run('apply network --yes');
    await edit('protocol: all', 'protocol: icmp');
    return run(`drift network${flags}`);
  });

/** A drawing that the program wrote, with a description as the other pictures have it. */
const described = (drawing: string, { title, description }: Picture): string =>
  drawing.replace(/<title>[^<]*<\/title>/, `<title>${title}</title>\n<desc>${description}</desc>`);

async function drawingOfCompany(flags: readonly string[]): Promise<string> {
  const words = ['graph', COMPANY, '--format', 'svg', ...flags];
  const { code, stdout, stderr } = await meshform(words);
  expect(code, stderr).toBe(0);
  return stdout.replaceAll(COMPANY, 'examples/company');
}

test('a plan is shown as in the picture', async () =>
  expectPicture(
    'docs/plan.svg',
    terminalPicture(
      { command: 'meshform plan network', printed: await planned(), columns: COLUMNS },
      {
        title: 'A plan in a terminal',
        description:
          'A policy gets port 8443. Below the change stand the two resources that laptops gain access to by it, and the rule that grants it.',
      },
    ),
  ));

test('a drift report is shown as in the picture', async () =>
  expectPicture(
    'docs/drift.svg',
    terminalPicture(
      { command: 'meshform drift network', printed: await drifted(), columns: COLUMNS },
      {
        title: 'A drift report in a terminal',
        description:
          'Somebody changed the protocol of a rule from icmp to all. The report names who it was, and when.',
      },
    ),
  ));

test('a comment on a pull request is shown as in the picture', async () =>
  expectPicture(
    'docs/pull-request-comment.svg',
    markdownPicture(
      {
        markdown: await planned(' --format comment'),
        place: 'A comment on a pull request, written by its pipeline',
      },
      {
        title: 'A plan as a comment on a pull request',
        description:
          'The counts of the plan, then each access that is gained, then a warning that the plan widens access. The whole plan is folded.',
        columns: COLUMNS,
      },
    ),
  ));

test('an issue about drift is shown as in the picture', async () =>
  expectPicture(
    'docs/drift-issue.svg',
    markdownPicture(
      {
        markdown: await drifted(' --format comment'),
        place: 'An issue about drift, opened by a pipeline that runs every hour',
        isUnfolded: true,
      },
      {
        title: 'A drift report as an issue',
        description:
          'The counts, the policy that has changed in the account, and, unfolded, what changed and who changed it.',
        columns: COLUMNS,
      },
    ),
  ));

test('the access that one group of the example company uses is shown as in the picture', async () =>
  expectPicture(
    'docs/map.svg',
    described(await drawingOfCompany(['--only', 'group/data-team']), {
      title: 'What the data team of examples/company uses',
      description:
        'From the left: the group, the two policies that name it with their ports and posture checks, and the resources they lead to.',
    }),
  ));

test('the whole example company is shown as in the picture', async () =>
  expectPicture(
    'docs/company.svg',
    described(await drawingOfCompany([]), {
      title: 'Every policy and network of examples/company',
      description:
        'From the left: groups, policies with their ports, the groups and resources they lead to, networks, and the gateways that serve these.',
    }),
  ));

test('the machines that reach production in the example company are shown as in the picture', async () => {
  const words = ['access', 'to', 'network/production', COMPANY, '--html', '-'];
  const { code, stdout, stderr } = await meshform(words);
  expect(code, stderr).toBe(0);
  const picture = matrixPicture(stdout, {
    title: 'Who reaches the network production of examples/company',
    description:
      'A matrix: rows are groups, merged where they have the same access; columns are the network resources of production, and two exit nodes; cells have the ports.',
  });
  await expectPicture('docs/matrix.svg', picture);
});

test('the first five minutes are shown as in the animation', async () => {
  const scenes = await tell(async ({ run, edit }) => {
    const shown: Scene[] = [];
    const show = async (note: string, command: string): Promise<void> => {
      // The digest covers the ids and the address of the server, which differ.
      const printed = (await run(command)).replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…');
      shown.push({ note, command: `meshform ${command}`, printed });
    };
    await show('first files, with a schema for the editor', 'init network');
    await show('what an apply would change', 'plan network');
    await show('this plan, in the account', 'apply network --yes');
    await edit('"445"', '"445", "8443"');
    await show('after a policy got a port: who gains access?', 'plan network --out plan.json');
    await show('the plan that was read, and nothing else', 'apply plan.json --yes');
    await edit('protocol: icmp', 'protocol: all');
    await run('apply network --yes');
    await edit('protocol: all', 'protocol: icmp');
    await show('after somebody changed the account', 'drift network');
    return shown;
  });
  const size = { columns: COLUMNS, rows: 32, atRest: 3 };
  const picture = movingPicture(scenes, size, {
    title: 'The first five minutes in a terminal',
    description:
      'Six commands, one after another: init writes files, plan shows what would be created, apply creates it, a second plan shows who gains access by a new port, apply carries it out, and drift names who changed the account by hand.',
  });
  expect(picture).toContain('(prefers-reduced-motion: no-preference)');
  await expectPicture('docs/first-minutes.svg', picture);
});
