// The door of the emulator: the Management API as a real server on loopback, for tests, rehearsals and demonstrations.
export { seededRandom } from './environment.ts';
export type { AnsweredRequest } from './server.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './start.ts';
export { memoryStore } from './store/memory.ts';
export { sqliteStore } from './store/sqlite.ts';
export type { Rows, Store } from './store/store.ts';
