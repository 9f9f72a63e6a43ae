// The addresses of what hosts attach and subscribe to.
export const appUri = (appId: number | string) => `millrace://app/${appId}`
export const automationUri = (automationId: number | string) => `millrace://automation/${automationId}`
export const runUri = (runId: string) => `millrace://run/${runId}`
