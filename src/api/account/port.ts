// An account with write access for a run: the functions of the client over a single transport.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { RemoteId } from '../../model/names.ts';
import type { JsonObject } from '../../model/value.ts';
import type { ReadTransport, WriteTransport } from '../transport/transport.ts';
import { auditLog } from './auditLog.ts';
import { checkAccount } from './fetch.ts';
import {
  createObject,
  deleteObject,
  listObjects,
  type ObjectId,
  readObject,
  renewSecret,
  updateObject,
} from './objectClient.ts';

/** Reads objects of any kind through `transport`. */
export function readPort(transport: ReadTransport) {
  return {
    read: (kind: Kind, at: ObjectId) => readObject(transport, kind, at),
    list: (kind: Kind, parentId?: RemoteId) => listObjects(transport, kind, parentId),
  };
}

/** Reads and writes objects of any kind through `transport`. */
export function accountPort(transport: WriteTransport, kinds: KindTable) {
  return {
    ...readPort(transport),
    create: (kind: Kind, body: JsonObject, parentId?: RemoteId) =>
      createObject(transport, kind, body, parentId),
    update: (kind: Kind, at: ObjectId, body: JsonObject) => updateObject(transport, kind, at, body),
    renew: (kind: Kind, at: ObjectId, sends: JsonObject) => renewSecret(transport, kind, at, sends),
    delete: (kind: Kind, at: ObjectId) => deleteObject(transport, kind, at),
    requests: transport.requests,
    check: () => checkAccount(transport, kinds),
    log: auditLog(transport, kinds),
  };
}
