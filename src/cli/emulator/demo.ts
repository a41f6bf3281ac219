// The demonstration: applies an example company to an emulator, changes the account by hand, and corrects the drift.
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { changeByHand } from './changesByHand.ts';
import { type DemoProgram, demoSteps, FOLDER, withDemoCompany } from './demoCompany.ts';

/** Runs the demonstration; resolves to 0 if every step succeeded. */
export function demo(io: Io, program: DemoProgram): Promise<number> {
  return withDemoCompany(io, {}, async company => {
    const { begin, step, end } = demoSteps(company.io, program);
    const plan = 'plan.json';
    await step('Plan a new account', ['plan', FOLDER, '--out', plan], EXIT.done);
    await step('Apply the plan', ['apply', plan, '--yes'], EXIT.done);
    const again = ['plan', FOLDER, '--detailed-exitcode'];
    await step('A second plan has no changes', again, EXIT.done);
    begin('Somebody changes the account by hand');
    io.stdout.write(await changeByHand(company.account));
    await step('Drift detection reports it', ['drift', FOLDER], EXIT.changes);
    await step('Repair the drift', ['apply', FOLDER, '--yes'], EXIT.done);
    await step('The account matches the files', again, EXIT.done);
    return end();
  });
}
