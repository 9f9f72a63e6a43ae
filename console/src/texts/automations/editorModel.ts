// Words of the editor: triggers, steps and conditions as sentences, references, templates, problems.
import { plural } from "../../../../src/platform/text/plural.ts"

export const conditionSentence = {
  user: "user",
  record: "record",
  no: "no.",
  today: "today",
  true: "true",
  false: "false",
  entityType: (entityType: string) => `a ${entityType}`,
  aScript: "a script",
  more: (more: number) => `${more} more`,
  or: " or ",
  and: " and "
} as const

export const definition = {
  definitionIsAnObject: "A definition is an object with trigger, filter and actions.",
  unknownIsNoPart: (unknown: string, members: string) => `“${unknown}” is no part of a definition. It has ${members}.`,
  nameIsAText: "“name” is a text.",
  triggerIsNull: "“trigger” is null, or an object with type and config.",
  pathIsAList: (path: string) => `“${path}” is a list of steps.`,
  stepPathIsAnObject: (stepPath: string) => `“${stepPath}” is an object with type and config.`,
  stepPathConfig: (stepPath: string) => `“${stepPath}.config” is an object.`
} as const

export const layout = {
  forEach: "For each",
  ifSo: "If so",
  otherwise: "Otherwise",
  nextItem: "↺ Next item"
} as const

export const problems = {
  thisIsRequired: "This is required."
} as const

export const references = {
  metaTypes: {
    app_record_id: "Record number",
    record_id: "Record id",
    record_url: "Link to the record",
    created_at: "Created at",
    created_by: "Created by",
    last_modified_at: "Last changed at",
    last_modified_by: "Last changed by",
    revision: "Record revision",
    all_comments: "All comments"
  },
  globals: {
    current_date: "Today",
    current_datetime: "Now",
    current_time: "Time of day",
    current_automation: "This automation",
    current_automation_run: "This run",
    actions_left_in_hour: "Actions left this hour",
    most_recent_error: "Last error"
  },
  collectedRecordsName: (name: string) => `Collected records: ${name}`,
  appId: (appId: number) => `app ${appId}`,
  theRecord: (name: string) => `The ${name} record`,
  beforeTheChange: "Before the change",
  labelBefore: (label: string) => `${label} (before)`,
  fromTheTrigger: "From the trigger",
  variablesOfEarlierSteps: "Variables of earlier steps",
  collectedRecords: "Collected records",
  eachCollectedRecordOf: (name: string) => `Each collected record of ${name}`,
  createdRecords: "Created records",
  createdRecord: (name: string) => `Created record: ${name}`,
  alwaysThere: "Always there",
  fieldId: (fieldId: string) => `field ${fieldId}`,
  before: " (before)",
  secret: (name: string) => `Secret ${name}`,
  payloadPathPropertyWords: (path: string, propertyWords: string) => `Payload: ${path}${propertyWords}`,
  aValue: "A value"
} as const

export const stepSentence = {
  wordsAndRestMore: (words: string, rest: number) => `${words} and ${rest} more`,
  appId: (appId: number) => `app ${appId}`,
  countUnitS: (shownCount: string, unit: string, count: number) =>
    plural(count, { one: `${shownCount} ${unit}`, other: `${shownCount} ${unit}s` }),
  nothing: "nothing",
  upToLimit: (limit: string) => `up to ${limit} `,
  withCountInputs: (count: number) => plural(count, { one: `with ${count} input`, other: `with ${count} inputs` }),
  fieldId: (id: unknown) => `field ${id}`,
  everyApp: "every app",
  appByFields: (app: string, fields: string) => `${app} by ${fields}`,
  collectLimitRecordsOfApp: (limit: string, app: string, suffix: string) =>
    `Collect ${limit}records of ${app}${suffix}`,
  whereCondition: (condition: string) => ` where ${condition}`,
  collectLimitRecords: (limit: string, app: string) => `Collect ${limit}records of a view of ${app}`,
  collectRelatedRecords: "Collect related records",
  collectRecordsRelatedToCollected: "Collect records related to collected ones",
  updateCollectedRecords: "Update collected records",
  commentOnCollectedRecords: "Comment on collected records",
  sendAMailForEach: (line: string) => `Send a mail for each to ${line}`,
  callAnAutomationForEach: "Call an automation for each collected record",
  if: "If …",
  ifCondition: (condition: string) => `If ${condition}`,
  createPdf: "Create PDF",
  callAnAutomation: "Call an automation",
  comment: "Comment",
  reply: "Reply",
  updateRecord: "Update record",
  runAScript: "Run a script",
  setsVariables: (variables: string) => `sets ${variables}`,
  setVariablesToLine: (variables: string, line: string) => `Set ${variables} to ${line}`,
  waitDuration: (duration: string) => `Wait ${duration}`,
  waitUntilDate: (date: string) => `Wait until ${date}`,
  showAPage: "Show a page",
  endTheRun: "End the run",
  endTheRunAsWords: (words: string) => `End the run as ${words}`,
  keepCollectedRecords: "Keep collected records",
  forEachOfWords: (words: string) => `For each of ${words}`,
  createRecordInApp: (app: string) => `Create record in ${app}`,
  redirectToLine: (line: string) => `Redirect to ${line}`,
  updateRelatedRecords: (suffix: string) => `Update related records${suffix}`,
  ofApp: (app: string) => ` of ${app}`,
  ofWords: (words: string) => ` of ${words}`,
  setLabelToWords: (label: string, words: string, ofText: string) => `Set ${label} to ${words}${ofText}`,
  sendAMailToLine: (line: string) => `Send a mail to ${line}`,
  sortCollectedRecords: "Sort collected records",
  emptyTheCollection: "Empty the collection"
} as const

export const templates = {
  secretStandsInHttpRequests:
    "a secret stands in HTTP requests, in the subject and message of mails and in scripts; here it could be read back"
} as const

export const triggerSentence = {
  countUnitS: (count: number, unit: string) => plural(count, { one: `${count} ${unit}`, other: `${count} ${unit}s` }),
  lastDay: "the last day",
  day: (day: string) => `day ${day}`,
  whenARecordOfApp: (app: string) => `When a record of ${app} is updated`,
  oneOfFields: (count: number) => plural(count, { one: "a certain field", other: `one of ${count} fields` }),
  or: "or",
  whenNoFieldOfApp: (app: string) => `When no field of ${app} changes`,
  whenFieldsOfARecord: (fields: string, app: string) => `When ${fields} of a record of ${app} changes`,
  labelOfARecord: (label: string, app: string) => `${label} of a record of ${app}`,
  aDate: "a date",
  whenDateArrives: (date: string) => `When ${date} arrives`,
  atTimeOfDay: (timeOfDay: string) => ` at ${timeOfDay}`,
  everyUnset: (unset: string) => `Every ${unset}`,
  everyUnit: (unit: string) => `Every ${unit}`,
  everyJoinedTimeWords: (joined: string, timeWords: string) => `Every ${joined}${timeWords}`,
  and: "and",
  monthlyOnJoinedTimeWords: (joined: string, timeWords: string) => `Monthly on ${joined}${timeWords}`,
  certainWeekdays: "certain weekdays",
  byScheduleCronExpression: (cronExpression: string) => `By schedule ${cronExpression}`,
  everyDayTimeWords: (timeWords: string) => `Every day${timeWords}`,
  whenAnotherAutomationCallsIt: "When another automation calls it",
  whenACommentIsAdded: (app: string) => `When a comment is added to a record of ${app}`,
  whenARecordOfAppIsCreated: (app: string) => `When a record of ${app} is created`,
  whenARecordOfAppIsDeleted: (app: string) => `When a record of ${app} is deleted`,
  whenAWebhookIsReceived: "When a webhook is received",
  whenALinkIsClicked: "When a link is clicked",
  noTriggerYet: "No trigger yet",
  itsApp: "its app"
} as const

export const valueConditions = {
  naN: (code: string) => ` ?? NaN) ${code} (`,
  is: "is",
  isNot: "is not",
  contains: "contains",
  doesNotContain: "does not contain",
  startsWith: "starts with",
  endsWith: "ends with",
  equalsNumber: "equals (number)",
  greaterThan: "greater than",
  atLeast: "at least",
  lessThan: "less than",
  atMost: "at most",
  isYes: "is yes",
  isNo: "is no",
  isEmpty: "is empty",
  isNotEmpty: "is not empty"
} as const
