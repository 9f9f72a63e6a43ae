// The limits of service.md 8 and decisions O2, O7, O8, as milliseconds, counts and bytes.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const limits = {
  accessTokenMillis: hour,
  codeMillis: minute,
  decisionMillis: 10 * minute,
  idleMillis: 90 * day,
  maxAgeMillis: 365 * day,
  connectionsPerUserAndClient: 10,
  resendGraceMillis: 30 * second,
  resendsAllowed: 3,
  unconnectedDynamicClientMillis: 25 * hour,
  endedConnectionKeptMillis: 90 * day,
  sessionIdleMillis: 30 * day,
  documentMinFreshMillis: 5 * minute,
  documentMaxFreshMillis: 24 * hour,
  registrationBytes: 16 * 1024,
  formBytes: 16 * 1024,
  redirectUris: 50,
  redirectUriLength: 2048,
  clientNameCharacters: 80,
  stateLength: 8192
} as const
