// Texts of the fields of an app: the list, a field, its removal, its conversion to another type.
import type { ReactNode } from "react"
import { countText } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const changeType = {
  conversionBegins: "The conversion begins.",
  newType: "New type",
  thisCannotBeConverted: "This cannot be converted.",
  conversionDidNotStart: "The conversion did not start.",
  preview: "Preview",
  changeType: "Change type"
} as const

export const conversionJob = {
  conversion: "Conversion",
  valuesConverted: (values: number, suffix: ReactNode) =>
    nodes`${countText(values, "value", "values")} converted${suffix}`,
  valuesNot: (values: number) => `, ${countText(values, "value", "values")} not`,
  fieldKeepsItsTypeUntil: "The field keeps its type until all values are ready. You may close this.",
  conversionWasNotCancelled: "The conversion was not cancelled.",
  cancelConversion: "Cancel conversion",
  recordId: (id: string) => `Record ${id}`
} as const

export const conversionOutcome = {
  valuesCanBeConverted: (values: number, suffix: ReactNode) =>
    nodes`${countText(values, "value", "values")} can be converted${suffix}.`,
  valuesCannot: (values: number) => `, ${countText(values, "value", "values")} cannot`,
  theseRecordsGetAnEmpty: "These records get an empty field. Their values stay in the history.",
  newOptions: (newOptions: number) => countText(newOptions, "new option", "new options"),
  andMore: " and more",
  preview: "Preview",
  doneOfTotalRecordsTried: (done: string, total: string, convertedValues: number, refusedValues: number) =>
    `${done} of ${total} records tried out: ${countText(convertedValues, "value", "values")} can be converted, ${countText(refusedValues, "value", "values")} cannot.`,
  recordIdMessage: (id: ReactNode, message: string) => nodes`Record ${id}: ${message}`,
  viewsMayLoseConditionsGroups: (count: number, names: string) =>
    `${countText(count, "view", "views")} may lose conditions, groups or cards by it: ${names}`,
  soMayPrivateViews: (privateViews: number) =>
    `So may ${countText(privateViews, "private view", "private views")} of others.`,
  webhooksFilterByItHooks: (webhooks: number, hooks: string) =>
    `${countText(webhooks, "webhook", "webhooks")} filter by it: ${hooks}`,
  useItAndStop: "use it, and stop if they cannot use the new type:"
} as const

export const fieldDialog = {
  changeTheTypeOfLabel: (label: string) => `Change the type of ${label}`,
  addAField: "Add a field",
  changeLabel: (label: string) => `Change ${label}`,
  type: "Type",
  changeType: "Change type",
  learnMore: "Learn more",
  label: "Label",
  whatBelongsThere: "What belongs there",
  everyRecordMust: "Every record must have a value",
  noTwoRecordsMay: "No two records may have the same value",
  hideItFromGrids: "Hide it from grids and records",
  fieldWasNotSaved: "The field was not saved.",
  addField: "Add field",
  addFieldAndAnother: "Add field and another",
  saveField: "Save field"
} as const

export const fieldKinds = {
  text: "Text",
  oneLineSuch: "One line, such as a name.",
  longText: "Long text",
  paragraphsSuchAsNotes: "Paragraphs, such as notes.",
  number: "Number",
  withDecimalsAndAUnit: "With decimals and a unit, if wanted.",
  choice: "Choice",
  oneOfSeveralOptions: "One of several options.",
  severalChoices: "Several choices",
  anyNumberOfSeveralOptions: "Any number of several options.",
  status: "Status",
  howFarARecord: "How far a record is; an app has one at most.",
  open: "Open",
  done: "Done",
  date: "Date",
  dayOrADay: "A day, or a day and a time.",
  period: "Period",
  fromADayToAnother: "From a day to another.",
  person: "Person",
  somebodyOfTheOrganization: "Somebody of the organization.",
  people: "People",
  severalOfTheOrganization: "Several of the organization.",
  relatedRecord: "Related record",
  recordOfAnotherApp: "A record of another app, or of this one.",
  relatedRecords: "Related records",
  severalRecordsOfOtherApps: "Several records of other apps.",
  checklist: "Checklist",
  thingsToDoEach: "Things to do, each with its tick.",
  mailAddresses: "Mail addresses",
  oneOrSeveral: "One or several.",
  phoneNumbers: "Phone numbers",
  links: "Links",
  addressesOfPages: "Addresses of pages.",
  place: "Place",
  anAddress: "An address.",
  file: "File",
  oneFile: "One file.",
  files: "Files",
  anyNumberOfFiles: "Any number of files.",
  images: "Images",
  anyNumberOfPictures: "Any number of pictures.",
  numberOfTheRecord: "Number of the record",
  countedByItself: "Counted by itself: 1, 2, 3.",
  calculation: "Calculation",
  computedFromOtherFields: "Computed from other fields by an expression.",
  createdAt: "Created at",
  whenTheRecordWasMade: "When the record was made.",
  createdBy: "Created by",
  whoMadeTheRecord: "Who made the record.",
  changedAt: "Changed at",
  whenTheRecordWasLast: "When the record was last changed.",
  changedBy: "Changed by",
  whoLastChangedTheRecord: "Who last changed the record."
} as const

export const fieldList = {
  orderWasChanged: "The order was changed.",
  fields: "Fields",
  addAField: "Add a field",
  dragAHandleOrPress:
    "Drag a handle, or press the arrow keys on it, to change the order. The first field names the records.",
  calculationsOfCalculationsPendingRecords: (calculationsPending: ReactNode) =>
    nodes`Calculations of ${calculationsPending} records are not up to date yet.`,
  moveLabel: (label: string) => `Move ${label}`,
  required: "required",
  unique: "unique",
  hidden: "hidden",
  changeLabel: (label: string) => `Change ${label}`,
  change: "Change",
  removeLabel: (label: string) => `Remove ${label}`,
  remove: "Remove",
  orderWasNotChanged: "The order was not changed.",
  labelWasAdded: (label: string) => `${label} was added.`,
  labelWasChanged: (label: string) => `${label} was changed.`,
  labelWasRemoved: (label: string) => `${label} was removed.`
} as const

export const removeField = {
  removeLabel: (label: string) => `Remove ${label}?`,
  thisCannotBeUndone: "This cannot be undone. With the field go:",
  noValues: "no values: it is empty in every record",
  itsValuesInRecordsAlso: (records: number) =>
    `its values in ${countText(records, "record", "records")}, also in their history`,
  conditionsOrderGroupsAndCards: (count: number, names: string) =>
    `conditions, order, groups and cards by it in ${countText(count, "view", "views")}: ${names}`,
  sameInPrivateViews: (privateViews: number) =>
    `the same in ${countText(privateViews, "private view", "private views")} of others`,
  webhooksThatFilter: (webhooks: number, hooks: string) =>
    `${countText(webhooks, "webhook", "webhooks")} that filter by it: ${hooks}`,
  fieldWasNotRemoved: "The field was not removed.",
  removeTheField: "Remove the field",
  loadingTheUsesFailed: "Loading its uses failed."
} as const
