// Every operation that the emulator answers, by its id in the contract.

import { dnsSettings } from '../dns/dns-settings.ts';
import { nameserverGroups } from '../dns/nameserver-groups.ts';
import { dnsRecords } from '../dns/records.ts';
import { zones } from '../dns/zones.ts';
import { proxyClusters } from '../proxy/clusters.ts';
import { proxyDomains } from '../proxy/domains.ts';
import { proxyTokens } from '../proxy/proxy-tokens.ts';
import { proxyServices } from '../proxy/services.ts';
import type { Handlers } from '../request/handler.ts';
import { accounts } from '../settings/handlers.ts';
import { auditEvents } from './audit-events.ts';
import { directories } from './directories.ts';
import { directoryRuns } from './directory-runs.ts';
import { edr } from './edr.ts';
import { eventStreams } from './event-streams.ts';
import { groups } from './groups.ts';
import { identityProviders } from './identity-providers.ts';
import { ingressPeers } from './ingress-peers.ts';
import { ingressPorts } from './ingress-ports.ts';
import { jobs } from './jobs.ts';
import { mspTenancy } from './msp-tenancy.ts';
import { mspTenants } from './msp-tenants.ts';
import { networkResources } from './network-resources.ts';
import { networkRouters } from './network-routers.ts';
import { networks } from './networks.ts';
import { notificationChannels } from './notification-channels.ts';
import { passwordChange } from './password-change.ts';
import { peerAccess } from './peer-access.ts';
import { peers } from './peers.ts';
import { policies } from './policies.ts';
import { postureChecks } from './posture-checks.ts';
import { proxyLogs } from './proxy-logs.ts';
import { routes } from './routes.ts';
import { setupKeys } from './setup-keys.ts';
import { tokens } from './tokens.ts';
import { trafficEvents } from './traffic-events.ts';
import { userApproval } from './user-approval.ts';
import { userInvites } from './user-invites.ts';
import { users } from './users.ts';

export const HANDLERS: Handlers = {
  ...accounts,
  ...dnsSettings,
  ...nameserverGroups,
  ...zones,
  ...dnsRecords,
  ...proxyClusters,
  ...proxyDomains,
  ...proxyServices,
  ...proxyTokens,
  ...tokens,
  ...users,
  ...userApproval,
  ...passwordChange,
  ...userInvites,
  ...networks,
  ...networkResources,
  ...networkRouters,
  ...peers,
  ...peerAccess,
  ...jobs,
  ...ingressPorts,
  ...ingressPeers,
  ...groups,
  ...routes,
  ...setupKeys,
  ...identityProviders,
  ...policies,
  ...postureChecks,
  ...mspTenants,
  ...mspTenancy,
  ...edr,
  ...directories,
  ...directoryRuns,
  ...notificationChannels,
  ...eventStreams,
  ...auditEvents,
  ...trafficEvents,
  ...proxyLogs,
};
