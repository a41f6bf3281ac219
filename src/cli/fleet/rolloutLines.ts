// The output of a rollout while it runs, and at its end.
import { unacceptedOf } from '../../fleet/rollout/next.ts';
import type { Ledger } from '../../model/rollout.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import { withoutPlan } from '../../report/fleet/rolloutStatus.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import type { Ran } from './eachAccount.ts';
import { clockWords, type RolloutEnd } from './rollingOut.ts';

/** Prints the result of an account, and the whole output of its run if the run failed. */
export function tellAccount(name: string, ran: Ran<unknown>, ledger: Ledger, io: Io): void {
  const entry = ledger.accounts.find(one => one.name === name);
  const isApply = typeof ran.value === 'number' || entry?.state === 'running';
  const code = typeof ran.value === 'number' ? ran.value : ran.code;
  const done = isApply ? 'applied' : 'checked';
  const said = code === EXIT.done ? done : `ended with ${code}`;
  say(io.stdout, `wave ${entry?.wave ?? 0}  ${nameText(name)}  ${said}`);
  if (code === EXIT.done) return;
  const lines = `${ran.stderr}${ran.stdout}`.trimEnd().split('\n');
  for (const line of lines) say(io.stdout, `    ${line}`);
}

/** The maximum number of listed names. The remaining names are only counted. */
const LISTED = 20;

/** Prints the state of the rollout. Returns the exit code, or throws a `Stop`. */
export function tellEnd(end: RolloutEnd, ledger: Ledger, io: Io): number {
  switch (end.is) {
    case 'done':
      tellComplete(ledger, io);
      return end.stale.length > 0 ? EXIT.incomplete : EXIT.done;
    case 'baking':
      say(
        io.stdout,
        `Wave ${end.wave} is watched until ${new Date(end.until).toISOString()}; after that, continue with \`meshform fleet apply --continue\`.`,
      );
      return EXIT.incomplete;
    case 'others':
      tellWaiting(end, ledger, io);
      return EXIT.incomplete;
    case 'interrupted':
      say(io.stdout, 'Interrupted: continue with `meshform fleet apply --continue`.');
      return EXIT.interrupted;
    case 'ahead':
      throw new Stop(
        EXIT.refused,
        `the clock of this machine is ${clockWords(end.by)}, so the watch time of the wave may not be over`,
        'set the clock of this machine, or that of the server; then continue with `meshform fleet apply --continue`',
      );
    case 'lost':
      throw new Stop(
        EXIT.incomplete,
        `this run no longer has the rollout: ${end.why}`,
        '`meshform fleet status` shows which machine has it; continue with `meshform fleet apply --continue`',
      );
    default:
      throw stopped(end, ledger);
  }
}

function tellComplete(ledger: Ledger, { stdout }: Io): void {
  const { accounts } = ledger;
  const others = accounts.filter(({ state }) => state !== 'healthy');
  const healthy = accounts.length - others.length;
  say(stdout, `Rollout complete: ${healthy} of ${counted(accounts.length, 'account')} healthy.`);
  for (const line of withoutPlan(ledger)) say(stdout, line);
  for (const { name, state, outcome } of others)
    say(stdout, `  ${nameText(name)}  ${state}${outcome?.why ? `: ${outcome.why}` : ''}`);
}

function tellWaiting(
  { wave, accounts, postponed }: Extract<RolloutEnd, { is: 'others' }>,
  ledger: Ledger,
  { stdout }: Io,
): void {
  for (const { name, outcome } of ledger.accounts.filter(one => postponed.includes(one.name)))
    say(stdout, `  ${nameText(name)}  waits${outcome?.why ? `: ${outcome.why}` : ''}`);
  const those = counted(accounts.length, 'account');
  say(
    stdout,
    postponed.length === accounts.length
      ? `Wave ${wave} waits: ${those} could not begin, because somebody else holds the lock. Continue later with \`meshform fleet apply --continue\`.`
      : `Wave ${wave} waits for ${those} that no run applies: continue with \`meshform fleet apply --continue\`.`,
  );
}

function stopped(end: Extract<RolloutEnd, { is: 'stopped' }>, ledger: Ledger): Stop {
  const faulty = ledger.accounts.filter(({ name }) => end.unhealthy.includes(name));
  const lines = [
    ...faulty.map(({ name, outcome }) => `  ${nameText(name)}: ${outcome?.why ?? 'not healthy'}`),
    ...(end.notBegun.length > 0 ? [`  not begun: ${listed(end.notBegun)}`] : []),
  ];
  const names = unacceptedOf(ledger).map(name => `--accept ${shellWord(name)}`);
  const flags = names.length > LISTED ? '--accept NAME for each of them' : names.join(' ');
  // A command to copy must not be wrapped, so it is not part of the hint.
  const command = `  meshform fleet apply --continue ${flags}`.trimEnd();
  return new Stop(
    EXIT.refused,
    `the rollout is stopped: ${end.why}`,
    'the command above continues although these accounts are not healthy; `--abandon REASON` instead gives the rollout up',
    [...lines, command],
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map(nameText).join(', ');
  return names.length > LISTED ? `${shown} and ${names.length - LISTED} more` : shown;
}
