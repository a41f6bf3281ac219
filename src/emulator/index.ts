// The public interface of the emulator: the Management API as a real server on loopback, for tests, rehearsals and
// demonstrations.
export type { StartingAccount } from './controls/loader.ts';
export { UnusableSnapshot } from './controls/snapshot.ts';
export type { TenantDraft } from './controls/tenants.ts';
export { type SignIn, seededRandom } from './environment.ts';
export type { EmulatorOptions } from './options.ts';
export { type Emulator, startEmulator, type Tenant } from './start.ts';
export { memoryStore } from './store/memory.ts';
export { sqliteStore, UnusableFile } from './store/sqlite.ts';
export type { Index, Rows, Store } from './store/store.ts';
export type { LoggedRequest } from './transport/request-log.ts';
export type { AnsweredRequest } from './transport/server.ts';
export { readStubs, STUB_EXAMPLE, type Stub, UnusableStubs } from './transport/stubs.ts';
