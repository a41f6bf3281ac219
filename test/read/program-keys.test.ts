// Every setting of git that can name a program is set to nothing: git itself says which settings there are.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { NO_PROGRAMS, namedPrograms } from '../../src/read/git/programKeys.ts';

/** Words in the names of settings that name a program, or a file or folder with one. */
const TELLING =
  /alias|askpass|browser|clean|cmd|command|config|driver|editor|exec|external|filter|fsmonitor|helper|hook|httpd|include|pager|path|process|program|proxy|pack$|script|smudge|server|shell|template|textconv|tool|tunnel|vcs|\.update$/i;

/** Settings with such a word that are switches, texts, numbers, addresses or files of data. */
const NO_PROGRAM: readonly RegExp[] = [
  /^(?:advice|color|column|commitGraph|fsck|http|push|receive|trace2|uploadpackfilter)\./,
  /\.(?:coverFrom)?description$/i,
  /^clean\.requireForce$|^clone\.filterSubmodules$|^commit\.(?:cleanup|template)$/,
  /^completion\.commands$|^core\.(?:fsmonitorHookVersion|quotePath)$/,
  /^credential\.useHttpPath$|^diff\.own\.cachetextconv$|^extensions\.worktreeConfig$/,
  /^fsmonitor\.(?:allowRemote|socketDir)$|^gitcvs\.dbDriver$|^gui\.newBranchTemplate$/,
  /^(?:difftool|guitool|mergetool)\.(?!(?:own\.)?(?:cmd|path)$)/,
  /^help\.htmlPath$|^rebase\.(?:abbreviateCommands|rescheduleFailedExec)$/,
  /^remote\.own\.(?:partialclonefilter|proxy|proxyAuthMethod)$|^repack\.updateServerInfo$/,
  /^sendemail\.(?:alias\w+|smtpServer(?:Option|Port)|smtpsslcertpath)$/,
  /^stash\.showIncludeUntracked$|^status\.relativePaths$|^uploadpack\.allowFilter$|^user\.useConfigOnly$/,
  // Read with the settings of the repository, each of which is judged by its own name.
  /^include(?:If\.own)?\.path$/,
];

const isSet = (key: string): boolean =>
  namedPrograms([key]).length > 0 ||
  NO_PROGRAMS.some(([name]) => name.toLowerCase() === key.toLowerCase());

test('every git setting that can name a program is overridden', () => {
  const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
  // An example for what has a name of its own, or any name.
  const keys = listed
    .filter(line => /^\w+\.\S+$/.test(line))
    .map(key => key.replaceAll(/<[^>]*>|\*/g, 'own'));
  expect(keys.length).toBeGreaterThan(500);
  const left = keys.filter(key => TELLING.test(key) && !isSet(key));
  expect(left.filter(key => !NO_PROGRAM.some(pattern => pattern.test(key)))).toEqual([]);
});

test('names of git settings are recognised as git prints them, in any case', () => {
  expect(namedPrograms(['filter.a=b.c.clean', 'FILTER.X.Process', 'filter.x.required'])).toEqual([
    ['filter.a=b.c.clean', ''],
    ['FILTER.X.Process', ''],
    ['filter.x.required', 'false'],
  ]);
  expect(namedPrograms(['core.bare', 'branch.filter.clean', 'remote.origin.url'])).toEqual([]);
});
