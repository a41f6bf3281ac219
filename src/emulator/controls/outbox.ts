// Controls for mail, and for deliveries that were not sent because they would leave this machine.
import { done, ok } from '../request/answer.ts';
import type { Control } from './control.ts';

/** The whole outbox, oldest first. */
export const readOutbox: Control = ({ account }) => ok(account.outbox.all());

/** Removes everything from the outbox. */
export const emptyOutbox: Control = ({ account }) => {
  for (const { id } of account.outbox.all()) account.outbox.remove(id);
  return done();
};
