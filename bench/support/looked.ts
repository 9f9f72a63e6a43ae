// Options of the command line for a closer look at the machine of a measurement: statements and the inspector.
export const looked: { statements: boolean; inspect: number | undefined } = { statements: false, inspect: undefined }
