// How closely the machine of a measurement is looked at, as the command line says.
export const looked: { statements: boolean; inspect: number | undefined } = { statements: false, inspect: undefined }
