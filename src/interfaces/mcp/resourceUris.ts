// The addresses of what hosts attach and subscribe to.
export const appUri = (appId: number | string) => `millrace://app/${appId}`
export const recordUri = (recordId: number | string) => `millrace://record/${recordId}`
export const automationUri = (automationId: number | string) => `millrace://automation/${automationId}`
export const runUri = (runId: number | string) => `millrace://run/${runId}`
