// The tables of rollouts.
import type { Database } from './database.ts';

// A unique index ensures that a fleet file has at most one open rollout, whatever runs at the same time.
const TABLES = `
create schema if not exists meshform_fleet;
create table if not exists meshform_fleet.rollout (
  rollout text primary key,
  fleet text not null,
  is_open boolean not null,
  version bigint not null,
  ledger text not null,
  hmac text not null
);
create unique index if not exists rollout_open on meshform_fleet.rollout (fleet) where is_open;
create table if not exists meshform_fleet.sent (
  rollout text not null references meshform_fleet.rollout on delete cascade,
  account text not null,
  primary key (rollout, account)
);
create table if not exists meshform_fleet.account_lock (
  account text primary key,
  worker text not null,
  taking text not null,
  since timestamptz not null,
  request_limit integer not null,
  released text
);
create table if not exists meshform_fleet.lock_holder (
  account text not null,
  id text not null,
  hmac text not null,
  primary key (account, id)
);
create table if not exists meshform_fleet.pace (
  token text primary key,
  next_at timestamptz not null,
  closed_until timestamptz not null,
  closings bigint not null
);
create table if not exists meshform_fleet.worker (
  worker text primary key,
  fleet text not null,
  machine text not null,
  since timestamptz not null,
  seen_at timestamptz not null
);`;

/**
 * The number of the lock under which one of several starting workers creates the tables. All workers must use the same number.
 */
const LOCK = 7_463_211;

/** Creates the tables that are missing. */
export const makeTables = (database: Database): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [LOCK]);
    await query(TABLES);
  });
