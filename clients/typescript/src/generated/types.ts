// Written by npm run client from the API's endpoints: change those.


/**
 * Workspaces whose automations and hooks may use it: `all`, private ones and those that are made later among them, or those listed
 */
export type AllowedUse = ("all" | {
/**
 * @maxItems 1000
 */
workspace_ids: number[]
})
export type ServerSentEvent = (ReadyServerSentEvent | ResetServerSentEvent | RecordServerSentEvent | AppServerSentEvent | RunServerSentEvent | DeliveryServerSentEvent | EndServerSentEvent)
export type DeliveryStatus = ("queued" | "retrying" | "delivered" | "failed" | "withheld" | "expired")
export type JobKind = ("run_cancel" | "run_retry" | "run_delete" | "record_import" | "field_recalculate" | "record_index" | "delivery_replay" | "field_convert")
export type JobStatus = ("pending" | "running" | "completed" | "failed" | "cancelled")
export type AutomationRunStatus = ("pending" | "running" | "completed" | "failed" | "cancelled")
export type AutomationRunType = ("regular" | "manual" | "simulation")
export type AutomationWaitReason = ("delay" | "place" | "credits" | "retry" | "called_run" | "concurrency" | "debounce")
/**
 * `skipped`: no step was taken for it; `pending`: not reached
 */
export type AutomationRunLoopItemStatus = ("failure" | "in_progress" | "cancelled" | "success" | "skipped" | "pending")
export type AutomationRunLogStatus = ("in_progress" | "success" | "failure" | "skipped" | "cancelled")
export type AutomationStatus = ("draft" | "active" | "paused" | "broken")
export type Trigger = (RecordCreatedTrigger | RecordUpdatedTrigger | RecordDeletedTrigger | RecordCommentOrReplyCreatedTrigger | DateFieldArrivedTrigger | AutomationCalledTrigger | PeriodicTrigger | WebhookReceivedTrigger | WeblinkClickedTrigger)
/**
 * @maxItems 2000
 */
export type RecordUpdatedTriggerConfigTriggerOnChangesFieldIdsList = number[]
/**
 * Text: strings, references and constants in order; a bare string reads back as a one-item array
 */
export type TemplateValue = (string | TemplateValueList)
export type TemplatePart = (string | Reference | Constant)
/**
 * A file as the body; `response_body` where there is none
 */
export type Reference = (FieldReference | {
kind: "variable"
source: "meta"
meta_type: ("app_record_id" | "created_at" | "last_modified_at" | "created_by" | "last_modified_by" | "record_id" | "record_url" | "revision" | "all_comments")
app_id?: number
previous?: boolean
collection?: boolean
triggering?: boolean
property?: Property
} | {
kind: "variable"
source: "trigger"
trigger_type: ("webhook_payload" | "webhook_raw_body" | "webhook_file_collection" | "periodic_execution_datetime" | "periodic_next_execution_datetime" | "weblink_click_count" | "weblink_created_at" | "record_comment_or_reply_id" | "record_comment_or_reply_content" | "record_comment_or_reply_created_by" | "record_comment_or_reply_attachments" | "record_comment_or_reply_entity_type")
property?: Property
} | {
kind: "variable"
source: "trigger"
trigger_type: "webhook_payload_property"
/**
 * Keys and 0-based indexes from the payload down to the property
 * 
 * @maxItems 200
 */
key_path: (string | number)[]
data_type?: ("text" | "number" | "date" | "boolean" | "any")
property?: Property
} | {
kind: "variable"
source: "trigger"
trigger_type: ("webhook_headers" | "webhook_query")
/**
 * One of them
 */
key?: string
property?: Property
} | {
kind: "variable"
source: "action"
action_type: ("record_collection" | "created_record" | "file_collection")
app_id?: number
property?: Property
} | {
kind: "variable"
source: "global"
global_type: ("current_date" | "current_datetime" | "current_time" | "current_automation" | "current_automation_run" | "actions_left_in_hour" | "most_recent_error")
property?: Property
} | {
kind: "variable"
source: "custom"
custom_type: ("any" | "single_file" | "multi_file" | "single_link" | "html_table_rows")
label: string
property?: Property
})
export type FieldType = ("single_text" | "multi_text" | "number" | "single_category" | "multi_category" | "status" | "single_date" | "range_date" | "single_relation" | "multi_relation" | "single_user" | "multi_user" | "checklist" | "multi_email" | "multi_phone" | "multi_link" | "single_location" | "single_attachment" | "multi_attachment" | "multi_image" | "unique_id" | "calculation" | "created_at" | "last_modified_at" | "created_by" | "last_modified_by" | "app" | "contact" | "embed" | "file")
export type Property = ("formatted" | "id" | "text" | "color" | "completed" | "record_id" | "title" | "record_url" | "user_id" | "name" | "start" | "start_date" | "start_time" | "start_utc" | "start_date_utc" | "start_time_utc" | "end" | "end_date" | "end_time" | "end_utc" | "end_date_utc" | "end_time_utc" | "email" | "due_at" | "assign_user_formatted" | "all" | "filename" | "download_url" | "value" | "original_formatted_address" | "street_address" | "city" | "state" | "postal_code" | "country" | "latitude" | "longitude" | "map_in_sync")
export type Constant = (OptionConstant | UserConstant | RecordConstant | PdfConstant | DateConstant | TimeConstant)
/**
 * @maxItems 1000
 */
export type TemplateValueList = TemplatePart[]
export type FilterRow = (FilterGroup | ScriptCondition | FilterCondition)
/**
 * Code: strings and references in order, each reference bound as a variable; numbers are strings
 */
export type CodeValue = (string | CodeValueList)
export type CodePart = (string | Reference)
/**
 * @maxItems 1000
 */
export type CodeValueList = CodePart[]
export type FilterValue = (TextFilterValue | NumberFilterValue | IdsFilterValue | DateFilterValue | BooleanFilterValue | EntityTypeFilterValue)
export type Action = (CustomCodeAction | CustomVariableAction | RecordCreateAction | CurrentRecordUpdateAction | CurrentRecordDeleteAction | CurrentRecordRestoreAction | CurrentRecordGetPreviousRevisionAction | CurrentRecordCommentCreateAction | CurrentRecordCommentOrReplyReplyCreateAction | CurrentRecordCommentOrReplyDeleteAction | CollectAppRecordsAction | CollectAppViewRecordsAction | CollectReferencedRecordsAction | CollectedRecordsCollectReferencedRecordsAction | FilterRecordCollectionAction | SortRecordCollectionAction | ClearRecordCollectionAction | CollectedRecordsUpdateAction | ReferencedRecordsUpdateAction | CollectedRecordsCommentCreateAction | RollupIterableValuesAction | CurrentRecordCallAutomationAction | CollectedRecordsCallAutomationAction | CurrentRecordGenerateAutomationWeblinkAction | DisplayWebpageAction | RedirectUserAction | SendEmailAction | CollectedRecordsSendEmailAction | CreatePdfAction | HttpCallAction | AuthenticatedHttpCallAction | DelayAction | ExitAction | ForLoopAction | ConditionalAction)
/**
 * Code that may use secrets, also by `secret("name")`
 */
export type CodeValueWithSecrets = (string | CodeValueWithSecretsList)
export type CodePartWithSecrets = (string | Reference | SecretReference)
/**
 * @maxItems 1000
 */
export type CodeValueWithSecretsList = CodePartWithSecrets[]
export type FieldAssignment = (SingleTextFieldAssignment | MultiTextFieldAssignment | NumberFieldAssignment | SingleCategoryFieldAssignment | MultiCategoryFieldAssignment | StatusFieldAssignment | SingleDateFieldAssignment | RangeDateFieldAssignment | SingleRelationFieldAssignment | MultiRelationFieldAssignment | SingleUserFieldAssignment | MultiUserFieldAssignment | ChecklistFieldAssignment | MultiEmailFieldAssignment | MultiPhoneFieldAssignment | MultiLinkFieldAssignment | SingleLocationFieldAssignment | SingleAttachmentFieldAssignment | MultiAttachmentFieldAssignment | MultiImageFieldAssignment)
/**
 * A template giving a date, or a relative date
 */
export type DateSource = (TemplateValue | RelativeDate)
/**
 * Text that may hold secrets
 */
export type TemplateValueWithSecrets = (string | TemplateValueWithSecretsList)
export type TemplatePartWithSecrets = (string | Reference | SecretReference | Constant)
/**
 * @maxItems 1000
 */
export type TemplateValueWithSecretsList = TemplatePartWithSecrets[]
/**
 * @maxItems 50
 */
export type AnswerPath = (string | number)[]
/**
 * Words by which it is found again; case does not count
 * 
 * @maxItems 20
 */
export type AutomationUpdateTagsList = string[]
/**
 * @maxItems 1000
 */
export type Actions = Action[]
export type StatisticsStep = ("minute" | "hour" | "day")
export type HookReplayErrorList = string[]
export type HookType = ("record.create" | "record.update" | "record.delete" | "record.restore" | "comment.create" | "comment.delete" | "app.update" | "hook.failing" | "hook.inactive" | "automation.broken" | "automation.run_failed")
export type HookReplayTypeList = HookType[]
export type HookStatus = ("inactive" | "active")
export type HookSettingsRetrySecondsList = number[]
export type HookAuthentication = (BasicHookAuthentication | BearerHookAuthentication | Oauth2HookAuthentication | CertificateHookAuthentication)
/**
 * @maxItems 20
 */
export type HookSettingsUpdateRetrySecondsList = number[]
export type HookAuthenticationInput = (BasicHookAuthenticationInput | BearerHookAuthenticationInput | Oauth2HookAuthenticationInput | CertificateHookAuthenticationInput)
export type CsvEncoding = ("utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "macintosh" | "ibm866" | "shift_jis" | "euc-jp" | "euc-kr" | "gb18030" | "big5")
export type FieldValueInput = (SingleTextValueInput | MultiTextValueInput | NumberValueInput | SingleCategoryValueInput | MultiCategoryValueInput | StatusValueInput | SingleDateValueInput | RangeDateValueInput | SingleRelationValueInput | MultiRelationValueInput | SingleUserValueInput | ChecklistValueInput | MultiEmailValueInput | MultiPhoneValueInput | MultiLinkValueInput | SingleLocationValueInput | SingleAttachmentValueInput | MultiAttachmentValueInput)
export type SingleTextValueInput = string
/**
 * HTML of at most 150000 characters, an escaped one counted once; it is kept sanitized
 */
export type MultiTextValueInput = string
export type NumberValueInput = (number | string)
export type SingleCategoryValueInput = (number | string)
export type OptionInput = (number | string)
/**
 * @maxItems 1000
 */
export type MultiCategoryValueInput = OptionInput[]
export type StatusValueInput = (number | string)
export type SingleDateValueInput = (string | DateInput)
export type RangeDateValueInput = (string | DateRangeInput)
export type SingleRelationValueInput = number
/**
 * @maxItems 1000
 */
export type MultiRelationValueInput = number[]
export type SingleUserValueInput = number
export type ChecklistValueInput = (string | ChecklistEntryInput | ChecklistValueInputList)
/**
 * @maxItems 1000
 */
export type ChecklistValueInputList = (string | ChecklistEntryInput)[]
export type MultiEmailValueInput = (string | EmailEntryInput | MultiEmailValueInputList)
/**
 * @maxItems 1000
 */
export type MultiEmailValueInputList = (string | EmailEntryInput)[]
export type MultiPhoneValueInput = (string | PhoneEntryInput | MultiPhoneValueInputList)
/**
 * @maxItems 1000
 */
export type MultiPhoneValueInputList = (string | PhoneEntryInput)[]
export type MultiLinkValueInput = (string | LinkEntryInput | MultiLinkValueInputList)
/**
 * @maxItems 1000
 */
export type MultiLinkValueInputList = (string | LinkEntryInput)[]
export type SingleLocationValueInput = (string | LocationInput)
export type SingleAttachmentValueInput = (string | number)
export type FileInput = (string | number)
/**
 * @maxItems 1000
 */
export type MultiAttachmentValueInput = FileInput[]
export type WrittenRecord = (AppRecord | RecordStub)
export type Author = (User | AutomationAuthor)
export type RecordField = (SingleTextRecordField | MultiTextRecordField | NumberRecordField | SingleCategoryRecordField | MultiCategoryRecordField | StatusRecordField | SingleDateRecordField | RangeDateRecordField | SingleRelationRecordField | MultiRelationRecordField | SingleUserRecordField | MultiUserRecordField | ChecklistRecordField | MultiEmailRecordField | MultiPhoneRecordField | MultiLinkRecordField | SingleLocationRecordField | SingleAttachmentRecordField | MultiAttachmentRecordField | MultiImageRecordField | CalculationRecordField | CreatedAtRecordField | LastModifiedAtRecordField | CreatedByRecordField | LastModifiedByRecordField)
export type CalculationEntry = ({
value: (string | number | boolean)
} | DateEntry)
export type RecordFilterOperand = (string | number | boolean | {
date?: string
offset_amount?: number
end_date?: string
})
export type ViewLayout = ("table" | "list" | "board" | "calendar" | "gallery")
/**
 * Columns of the table in their order; fields that are not named follow in the order of the app
 * 
 * @maxItems 200
 */
export type ViewColumns = ViewColumn[]
/**
 * A date, or two dates where the second is the end
 * 
 * @maxItems 2
 */
export type ViewCalendarFields = number[]
/**
 * @maxItems 200
 */
export type ViewUpdateFiltersList = RecordFilter[]
/**
 * @maxItems 200
 */
export type ViewCreateFiltersList = RecordFilter[]
export type UploadedFilesList = TemporaryFile[]
export type UploadedFiles = (TemporaryFile | UploadedFilesList)
export type FieldChange = (SingleTextFieldChange | MultiTextFieldChange | NumberFieldChange | SingleCategoryFieldChange | MultiCategoryFieldChange | StatusFieldChange | SingleDateFieldChange | RangeDateFieldChange | SingleRelationFieldChange | MultiRelationFieldChange | SingleUserFieldChange | MultiUserFieldChange | ChecklistFieldChange | MultiEmailFieldChange | MultiPhoneFieldChange | MultiLinkFieldChange | SingleLocationFieldChange | SingleAttachmentFieldChange | MultiAttachmentFieldChange | MultiImageFieldChange | CalculationFieldChange | CreatedAtFieldChange | LastModifiedAtFieldChange | CreatedByFieldChange | LastModifiedByFieldChange)
export type Icon = (GraphicIcon | EmojiIcon)
export type Field = (SingleTextField | MultiTextField | NumberField | SingleCategoryField | MultiCategoryField | StatusField | SingleDateField | RangeDateField | SingleRelationField | MultiRelationField | SingleUserField | MultiUserField | ChecklistField | MultiEmailField | MultiPhoneField | MultiLinkField | SingleLocationField | SingleAttachmentField | MultiAttachmentField | MultiImageField | UniqueIdField | CalculationField | CreatedAtField | LastModifiedAtField | CreatedByField | LastModifiedByField)
export type UnitLocation = ("prefix" | "suffix")
export type OptionColor = ("gray" | "brown" | "orange" | "yellow" | "green" | "blue" | "purple" | "pink" | "red")
export type TimeSetting = ("disabled" | "enabled" | "required")
export type CalculationResult = ("text" | "number" | "date" | "boolean")
export type FieldInput = (FieldDefinitionInput | FieldUpdate)
export type FieldDefinitionInput = (SingleTextFieldInput | MultiTextFieldInput | NumberFieldInput | SingleCategoryFieldInput | MultiCategoryFieldInput | StatusFieldInput | SingleDateFieldInput | RangeDateFieldInput | SingleRelationFieldInput | MultiRelationFieldInput | SingleUserFieldInput | MultiUserFieldInput | ChecklistFieldInput | MultiEmailFieldInput | MultiPhoneFieldInput | MultiLinkFieldInput | SingleLocationFieldInput | SingleAttachmentFieldInput | MultiAttachmentFieldInput | MultiImageFieldInput | UniqueIdFieldInput | CalculationFieldInput | CreatedAtFieldInput | LastModifiedAtFieldInput | CreatedByFieldInput | LastModifiedByFieldInput)
export type CalculationSettingsInputExpressionList = (string | FieldInExpression)[]
export type WorkspaceRole = ("admin" | "member" | "guest")
export type WorkspaceType = ("default" | "open" | "closed" | "private")
export type OrganizationRole = ("owner" | "admin" | "member" | "guest")

export interface Api {
schemas: {
NotFoundError: NotFoundError
RestrictedResourceError: RestrictedResourceError
AccountUses: AccountUses
HookUse: HookUse
AutomationUse: AutomationUse
AccountTried: AccountTried
AuthenticationProvider: AuthenticationProvider
AllowedUse: AllowedUse
ConflictError: ConflictError
ValidationError: ValidationError
AuthenticationProviderUpdate: AuthenticationProviderUpdate
AuthenticationProviderCreate: AuthenticationProviderCreate
SmtpAccount: SmtpAccount
SmtpAccountUpdate: SmtpAccountUpdate
SmtpAccountCreate: SmtpAccountCreate
AuditEventList: AuditEventList
AuditEvent: AuditEvent
EndedConnections: EndedConnections
ConnectedAppList: ConnectedAppList
ConnectedApp: ConnectedApp
AppConnection: AppConnection
AppConnectionList: AppConnectionList
OrganizationUsage: OrganizationUsage
AppUsage: AppUsage
RelationUse: RelationUse
FieldUsage: FieldUsage
ViewUse: ViewUse
SearchPage: SearchPage
SearchResult: SearchResult
HomeSummary: HomeSummary
HomeHour: HomeHour
HomeDue: HomeDue
HomeWaiting: HomeWaiting
FailingHook: FailingHook
FailingAutomation: FailingAutomation
TooManyRequestsError: TooManyRequestsError
ServerSentEvent: ServerSentEvent
StreamEnd: StreamEnd
DeliveryChanged: DeliveryChanged
DeliveryStatus: DeliveryStatus
RunChanged: RunChanged
AppChanged: AppChanged
RecordChanged: RecordChanged
StreamReset: StreamReset
StreamReady: StreamReady
Secret: Secret
SecretUpdate: SecretUpdate
SecretList: SecretList
SecretCreate: SecretCreate
OrganizationSecretCreate: OrganizationSecretCreate
Job: Job
JobFile: JobFile
JobReportEntry: JobReportEntry
JobStatus: JobStatus
JobKind: JobKind
InvalidRequestUrlError: InvalidRequestUrlError
AutomationRunAccepted: AutomationRunAccepted
AutomationRunAnswer: AutomationRunAnswer
AutomationRun: AutomationRun
AutomationRunWaiting: AutomationRunWaiting
AutomationWaitReason: AutomationWaitReason
AutomationRunType: AutomationRunType
AutomationRunStatus: AutomationRunStatus
JobBegun: JobBegun
AutomationRunSelection: AutomationRunSelection
AutomationRunsRetry: AutomationRunsRetry
AutomationRunDifference: AutomationRunDifference
AutomationRunOutcome: AutomationRunOutcome
AutomationRunLoopItems: AutomationRunLoopItems
AutomationRunLoopItem: AutomationRunLoopItem
AutomationRunLoopItemStatus: AutomationRunLoopItemStatus
AutomationRunLoopCounts: AutomationRunLoopCounts
AutomationRunLoop: AutomationRunLoop
AutomationRunLogPage: AutomationRunLogPage
AutomationRunLog: AutomationRunLog
AutomationRunLogStatus: AutomationRunLogStatus
AutomationRunWithLogs: AutomationRunWithLogs
AutomationRunPage: AutomationRunPage
PageRequest: PageRequest
AutomationRunSummary: AutomationRunSummary
AutomationRunSearch: AutomationRunSearch
Weblink: Weblink
WeblinkCreate: WeblinkCreate
AutomationCall: AutomationCall
AutomationOwnerLostError: AutomationOwnerLostError
RecordNotExistsError: RecordNotExistsError
AutomationRunCreate: AutomationRunCreate
FilterCatalogue: FilterCatalogue
ScriptCatalogue: ScriptCatalogue
ScriptLimits: ScriptLimits
TriggerCatalogue: TriggerCatalogue
ActionCatalogue: ActionCatalogue
InputValidationError: InputValidationError
AutomationAnswer: AutomationAnswer
Automation: Automation
Action: Action
FilterGroup: FilterGroup
Trigger: Trigger
BrokenReason: BrokenReason
AutomationPausedReason: AutomationPausedReason
AutomationStatus: AutomationStatus
AutomationRevisionChange: AutomationRevisionChange
AutomationRevision: AutomationRevision
UpcomingInstants: UpcomingInstants
SchedulePreview: SchedulePreview
AutomationImported: AutomationImported
AutomationImport: AutomationImport
PortableAutomation: PortableAutomation
AutomationDuplicate: AutomationDuplicate
AutomationUpdateTagsList: AutomationUpdateTagsList
AutomationUpdate: AutomationUpdate
AutomationTags: AutomationTags
AutomationPage: AutomationPage
AutomationCreate: AutomationCreate
HookStatistics: HookStatistics
Latencies: Latencies
StatisticsStep: StatisticsStep
HookReplayErrorList: HookReplayErrorList
HookReplayTypeList: HookReplayTypeList
HookReplay: HookReplay
HookType: HookType
DeliveryWithAttempts: DeliveryWithAttempts
Delivery: Delivery
HookSecret: HookSecret
HookSecretRotation: HookSecretRotation
Hook: Hook
HookStatus: HookStatus
HookVerificationCodeInvalidError: HookVerificationCodeInvalidError
VerificationAttempt: VerificationAttempt
HookSample: HookSample
HookTestAnswer: HookTestAnswer
HookSettingsRetrySecondsList: HookSettingsRetrySecondsList
HookSettings: HookSettings
HookAuthentication: HookAuthentication
SecretSet: SecretSet
HookSettingsUpdateRetrySecondsList: HookSettingsUpdateRetrySecondsList
HookSettingsUpdate: HookSettingsUpdate
HookAuthenticationInput: HookAuthenticationInput
HookHeaderSecret: HookHeaderSecret
HookOfApp: HookOfApp
ImportInput: ImportInput
ImportFormatInput: ImportFormatInput
CsvEncoding: CsvEncoding
ImportColumn: ImportColumn
ImportPreview: ImportPreview
ImportPreviewColumn: ImportPreviewColumn
ImportMisfit: ImportMisfit
ImportFormat: ImportFormat
RecordDeletedError: RecordDeletedError
RecordIds: RecordIds
UniqueConflictError: UniqueConflictError
UpsertResults: UpsertResults
UpsertResult: UpsertResult
RecordInput: RecordInput
FieldInputs: FieldInputs
WrittenRecords: WrittenRecords
WrittenRecord: WrittenRecord
RecordStub: RecordStub
AppRecord: AppRecord
CalculationError: CalculationError
RecordField: RecordField
Author: Author
AutomationAuthor: AutomationAuthor
User: User
MatchedRecords: MatchedRecords
RecordPreview: RecordPreview
MatchInput: MatchInput
RecordPage: RecordPage
RelatedInput: RelatedInput
RecordGroupPage: RecordGroupPage
RecordGroup: RecordGroup
RecordFilter: RecordFilter
ViewAnswer: ViewAnswer
View: View
ViewCalendarFields: ViewCalendarFields
ViewColumns: ViewColumns
ViewColumn: ViewColumn
ViewLayout: ViewLayout
ViewUpdateFiltersList: ViewUpdateFiltersList
ViewUpdate: ViewUpdate
ViewCreateFiltersList: ViewCreateFiltersList
ViewCreate: ViewCreate
ListedView: ListedView
StoredFile: StoredFile
UploadedFilesList: UploadedFilesList
UploadedFiles: UploadedFiles
TemporaryFile: TemporaryFile
Reply: Reply
CommentInput: CommentInput
Comment: Comment
RevisionDelta: RevisionDelta
FieldChange: FieldChange
FieldChangeConfig: FieldChangeConfig
Revision: Revision
App: App
Field: Field
AppConfig: AppConfig
Icon: Icon
FieldConversion: FieldConversion
ConversionOutcome: ConversionOutcome
ConversionSample: ConversionSample
ConversionFailure: ConversionFailure
FieldConvert: FieldConvert
FieldConvertConfig: FieldConvertConfig
FieldOrder: FieldOrder
FieldRef: FieldRef
AppUpdate: AppUpdate
FieldInput: FieldInput
AppCreate: AppCreate
AppSeen: AppSeen
AppList: AppList
ListedApp: ListedApp
WorkspaceMember: WorkspaceMember
WorkspaceRole: WorkspaceRole
Workspace: Workspace
WorkspaceType: WorkspaceType
SessionList: SessionList
Session: Session
OrganizationUser: OrganizationUser
Invitation: Invitation
OrganizationRole: OrganizationRole
InvitedUser: InvitedUser
Organization: Organization
Me: Me
DevApiError: DevApiError
InvalidJsonError: InvalidJsonError
InvalidRequestError: InvalidRequestError
DevApiAuthenticationError: DevApiAuthenticationError
DevApiInvalidAccessTokenError: DevApiInvalidAccessTokenError
ForbiddenError: ForbiddenError
InternalServerError: InternalServerError
ServiceUnavailableError: ServiceUnavailableError
SingleTextEntry: SingleTextEntry
SingleTextRecordField: SingleTextRecordField
MultiTextEntry: MultiTextEntry
MultiTextRecordField: MultiTextRecordField
NumberEntry: NumberEntry
NumberRecordField: NumberRecordField
Option: Option
SingleCategoryEntry: SingleCategoryEntry
SingleCategoryRecordField: SingleCategoryRecordField
MultiCategoryEntry: MultiCategoryEntry
MultiCategoryRecordField: MultiCategoryRecordField
StatusOption: StatusOption
StatusEntry: StatusEntry
StatusRecordField: StatusRecordField
SingleDateEntry: SingleDateEntry
SingleDateRecordField: SingleDateRecordField
RangeDateEntry: RangeDateEntry
RangeDateRecordField: RangeDateRecordField
RecordReference: RecordReference
SingleRelationEntry: SingleRelationEntry
SingleRelationRecordField: SingleRelationRecordField
MultiRelationEntry: MultiRelationEntry
MultiRelationRecordField: MultiRelationRecordField
SingleUserEntry: SingleUserEntry
SingleUserRecordField: SingleUserRecordField
MultiUserEntry: MultiUserEntry
MultiUserRecordField: MultiUserRecordField
ChecklistEntry: ChecklistEntry
ChecklistRecordField: ChecklistRecordField
MultiEmailEntry: MultiEmailEntry
MultiEmailRecordField: MultiEmailRecordField
MultiPhoneEntry: MultiPhoneEntry
MultiPhoneRecordField: MultiPhoneRecordField
MultiLinkEntry: MultiLinkEntry
MultiLinkRecordField: MultiLinkRecordField
SingleLocationEntry: SingleLocationEntry
SingleLocationRecordField: SingleLocationRecordField
AttachedFile: AttachedFile
SingleAttachmentEntry: SingleAttachmentEntry
SingleAttachmentRecordField: SingleAttachmentRecordField
MultiAttachmentEntry: MultiAttachmentEntry
MultiAttachmentRecordField: MultiAttachmentRecordField
MultiImageEntry: MultiImageEntry
MultiImageRecordField: MultiImageRecordField
DateEntry: DateEntry
CalculationEntry: CalculationEntry
CalculationRecordField: CalculationRecordField
CreatedAtEntry: CreatedAtEntry
CreatedAtRecordField: CreatedAtRecordField
LastModifiedAtEntry: LastModifiedAtEntry
LastModifiedAtRecordField: LastModifiedAtRecordField
CreatedByEntry: CreatedByEntry
CreatedByRecordField: CreatedByRecordField
LastModifiedByEntry: LastModifiedByEntry
LastModifiedByRecordField: LastModifiedByRecordField
SingleTextFieldChange: SingleTextFieldChange
MultiTextFieldChange: MultiTextFieldChange
NumberFieldChange: NumberFieldChange
SingleCategoryFieldChange: SingleCategoryFieldChange
MultiCategoryFieldChange: MultiCategoryFieldChange
StatusFieldChange: StatusFieldChange
SingleDateFieldChange: SingleDateFieldChange
RangeDateFieldChange: RangeDateFieldChange
SingleRelationFieldChange: SingleRelationFieldChange
MultiRelationFieldChange: MultiRelationFieldChange
SingleUserFieldChange: SingleUserFieldChange
MultiUserFieldChange: MultiUserFieldChange
ChecklistFieldChange: ChecklistFieldChange
MultiEmailFieldChange: MultiEmailFieldChange
MultiPhoneFieldChange: MultiPhoneFieldChange
MultiLinkFieldChange: MultiLinkFieldChange
SingleLocationFieldChange: SingleLocationFieldChange
SingleAttachmentFieldChange: SingleAttachmentFieldChange
MultiAttachmentFieldChange: MultiAttachmentFieldChange
MultiImageFieldChange: MultiImageFieldChange
CalculationFieldChange: CalculationFieldChange
CreatedAtFieldChange: CreatedAtFieldChange
LastModifiedAtFieldChange: LastModifiedAtFieldChange
CreatedByFieldChange: CreatedByFieldChange
LastModifiedByFieldChange: LastModifiedByFieldChange
SingleTextValueInput: SingleTextValueInput
MultiTextValueInput: MultiTextValueInput
NumberValueInput: NumberValueInput
SingleCategoryValueInput: SingleCategoryValueInput
OptionInput: OptionInput
MultiCategoryValueInput: MultiCategoryValueInput
StatusValueInput: StatusValueInput
DateInput: DateInput
SingleDateValueInput: SingleDateValueInput
DateRangeInput: DateRangeInput
RangeDateValueInput: RangeDateValueInput
SingleRelationValueInput: SingleRelationValueInput
MultiRelationValueInput: MultiRelationValueInput
SingleUserValueInput: SingleUserValueInput
ChecklistEntryInput: ChecklistEntryInput
ChecklistValueInputList: ChecklistValueInputList
ChecklistValueInput: ChecklistValueInput
EmailEntryInput: EmailEntryInput
MultiEmailValueInputList: MultiEmailValueInputList
MultiEmailValueInput: MultiEmailValueInput
PhoneEntryInput: PhoneEntryInput
MultiPhoneValueInputList: MultiPhoneValueInputList
MultiPhoneValueInput: MultiPhoneValueInput
LinkEntryInput: LinkEntryInput
MultiLinkValueInputList: MultiLinkValueInputList
MultiLinkValueInput: MultiLinkValueInput
LocationInput: LocationInput
SingleLocationValueInput: SingleLocationValueInput
SingleAttachmentValueInput: SingleAttachmentValueInput
FileInput: FileInput
MultiAttachmentValueInput: MultiAttachmentValueInput
FieldValueInput: FieldValueInput
SingleTextSettings: SingleTextSettings
SingleTextField: SingleTextField
MultiTextSettings: MultiTextSettings
MultiTextField: MultiTextField
UnitLocation: UnitLocation
NumberSettings: NumberSettings
NumberField: NumberField
OptionColor: OptionColor
CategoryOption: CategoryOption
SingleCategorySettings: SingleCategorySettings
SingleCategoryField: SingleCategoryField
MultiCategorySettings: MultiCategorySettings
MultiCategoryField: MultiCategoryField
StatusSettings: StatusSettings
StatusField: StatusField
TimeSetting: TimeSetting
SingleDateSettings: SingleDateSettings
SingleDateField: SingleDateField
RangeDateSettings: RangeDateSettings
RangeDateField: RangeDateField
ReferencedApp: ReferencedApp
SingleRelationSettings: SingleRelationSettings
SingleRelationField: SingleRelationField
MultiRelationSettings: MultiRelationSettings
MultiRelationField: MultiRelationField
SingleUserSettings: SingleUserSettings
SingleUserField: SingleUserField
MultiUserSettings: MultiUserSettings
MultiUserField: MultiUserField
ChecklistSettings: ChecklistSettings
ChecklistField: ChecklistField
MultiEmailSettings: MultiEmailSettings
MultiEmailField: MultiEmailField
MultiPhoneSettings: MultiPhoneSettings
MultiPhoneField: MultiPhoneField
MultiLinkSettings: MultiLinkSettings
MultiLinkField: MultiLinkField
SingleLocationSettings: SingleLocationSettings
SingleLocationField: SingleLocationField
SingleAttachmentSettings: SingleAttachmentSettings
SingleAttachmentField: SingleAttachmentField
MultiAttachmentSettings: MultiAttachmentSettings
MultiAttachmentField: MultiAttachmentField
MultiImageSettings: MultiImageSettings
MultiImageField: MultiImageField
UniqueIdSettings: UniqueIdSettings
UniqueIdField: UniqueIdField
CalculationResult: CalculationResult
CalculationSettings: CalculationSettings
CalculationField: CalculationField
CreatedAtSettings: CreatedAtSettings
CreatedAtField: CreatedAtField
LastModifiedAtSettings: LastModifiedAtSettings
LastModifiedAtField: LastModifiedAtField
CreatedBySettings: CreatedBySettings
CreatedByField: CreatedByField
LastModifiedBySettings: LastModifiedBySettings
LastModifiedByField: LastModifiedByField
SingleTextSettingsInput: SingleTextSettingsInput
SingleTextFieldInput: SingleTextFieldInput
MultiTextSettingsInput: MultiTextSettingsInput
MultiTextFieldInput: MultiTextFieldInput
NumberSettingsInput: NumberSettingsInput
NumberFieldInput: NumberFieldInput
CategoryOptionInput: CategoryOptionInput
OptionRef: OptionRef
SingleCategorySettingsInput: SingleCategorySettingsInput
SingleCategoryFieldInput: SingleCategoryFieldInput
MultiCategorySettingsInput: MultiCategorySettingsInput
MultiCategoryFieldInput: MultiCategoryFieldInput
StatusSettingsInput: StatusSettingsInput
StatusFieldInput: StatusFieldInput
SingleDateSettingsInput: SingleDateSettingsInput
SingleDateFieldInput: SingleDateFieldInput
RangeDateSettingsInput: RangeDateSettingsInput
RangeDateFieldInput: RangeDateFieldInput
SingleRelationSettingsInput: SingleRelationSettingsInput
SingleRelationFieldInput: SingleRelationFieldInput
MultiRelationSettingsInput: MultiRelationSettingsInput
MultiRelationFieldInput: MultiRelationFieldInput
SingleUserSettingsInput: SingleUserSettingsInput
SingleUserFieldInput: SingleUserFieldInput
MultiUserSettingsInput: MultiUserSettingsInput
MultiUserFieldInput: MultiUserFieldInput
ChecklistSettingsInput: ChecklistSettingsInput
ChecklistFieldInput: ChecklistFieldInput
MultiEmailSettingsInput: MultiEmailSettingsInput
MultiEmailFieldInput: MultiEmailFieldInput
MultiPhoneSettingsInput: MultiPhoneSettingsInput
MultiPhoneFieldInput: MultiPhoneFieldInput
MultiLinkSettingsInput: MultiLinkSettingsInput
MultiLinkFieldInput: MultiLinkFieldInput
SingleLocationSettingsInput: SingleLocationSettingsInput
SingleLocationFieldInput: SingleLocationFieldInput
SingleAttachmentSettingsInput: SingleAttachmentSettingsInput
SingleAttachmentFieldInput: SingleAttachmentFieldInput
MultiAttachmentSettingsInput: MultiAttachmentSettingsInput
MultiAttachmentFieldInput: MultiAttachmentFieldInput
MultiImageSettingsInput: MultiImageSettingsInput
MultiImageFieldInput: MultiImageFieldInput
UniqueIdSettingsInput: UniqueIdSettingsInput
UniqueIdFieldInput: UniqueIdFieldInput
FieldInExpression: FieldInExpression
CalculationSettingsInputExpressionList: CalculationSettingsInputExpressionList
CalculationSettingsInput: CalculationSettingsInput
CalculationFieldInput: CalculationFieldInput
CreatedAtSettingsInput: CreatedAtSettingsInput
CreatedAtFieldInput: CreatedAtFieldInput
LastModifiedAtSettingsInput: LastModifiedAtSettingsInput
LastModifiedAtFieldInput: LastModifiedAtFieldInput
CreatedBySettingsInput: CreatedBySettingsInput
CreatedByFieldInput: CreatedByFieldInput
LastModifiedBySettingsInput: LastModifiedBySettingsInput
LastModifiedByFieldInput: LastModifiedByFieldInput
FieldDefinitionInput: FieldDefinitionInput
FieldUpdate: FieldUpdate
RecordFilterOperand: RecordFilterOperand
CustomVariableDef: CustomVariableDef
MonthWeekday: MonthWeekday
TemplateValueList: TemplateValueList
TemplateValue: TemplateValue
TemplatePart: TemplatePart
Reference: Reference
FieldReference: FieldReference
FieldType: FieldType
Property: Property
Constant: Constant
WebhookVerification: WebhookVerification
FilterRow: FilterRow
ScriptCondition: ScriptCondition
CodeValueList: CodeValueList
CodeValue: CodeValue
CodePart: CodePart
FilterCondition: FilterCondition
FilterValue: FilterValue
RelativeDate: RelativeDate
Actions: Actions
Retry: Retry
RetryWindow: RetryWindow
CodeValueWithSecretsList: CodeValueWithSecretsList
CodeValueWithSecrets: CodeValueWithSecrets
CodePartWithSecrets: CodePartWithSecrets
SecretReference: SecretReference
FieldAssignment: FieldAssignment
DateAssignment: DateAssignment
DateSource: DateSource
RefCollectionDef: RefCollectionDef
CallArgument: CallArgument
TemplateValueWithSecretsList: TemplateValueWithSecretsList
TemplateValueWithSecrets: TemplateValueWithSecrets
TemplatePartWithSecrets: TemplatePartWithSecrets
HttpHeader: HttpHeader
HttpFormField: HttpFormField
HttpClientCertificate: HttpClientCertificate
HttpPaging: HttpPaging
AnswerPath: AnswerPath
HttpAuthentication: HttpAuthentication
Concurrency: Concurrency
ReadyServerSentEvent: ReadyServerSentEvent
ResetServerSentEvent: ResetServerSentEvent
RecordServerSentEvent: RecordServerSentEvent
AppServerSentEvent: AppServerSentEvent
RunServerSentEvent: RunServerSentEvent
DeliveryServerSentEvent: DeliveryServerSentEvent
EndServerSentEvent: EndServerSentEvent
CustomCodeAction: CustomCodeAction
CustomVariableAction: CustomVariableAction
RecordCreateAction: RecordCreateAction
CurrentRecordUpdateAction: CurrentRecordUpdateAction
CurrentRecordDeleteAction: CurrentRecordDeleteAction
CurrentRecordRestoreAction: CurrentRecordRestoreAction
CurrentRecordGetPreviousRevisionAction: CurrentRecordGetPreviousRevisionAction
CurrentRecordCommentCreateAction: CurrentRecordCommentCreateAction
CurrentRecordCommentOrReplyReplyCreateAction: CurrentRecordCommentOrReplyReplyCreateAction
CurrentRecordCommentOrReplyDeleteAction: CurrentRecordCommentOrReplyDeleteAction
CollectAppRecordsAction: CollectAppRecordsAction
CollectAppViewRecordsAction: CollectAppViewRecordsAction
CollectReferencedRecordsAction: CollectReferencedRecordsAction
CollectedRecordsCollectReferencedRecordsAction: CollectedRecordsCollectReferencedRecordsAction
FilterRecordCollectionAction: FilterRecordCollectionAction
SortRecordCollectionAction: SortRecordCollectionAction
ClearRecordCollectionAction: ClearRecordCollectionAction
CollectedRecordsUpdateAction: CollectedRecordsUpdateAction
ReferencedRecordsUpdateAction: ReferencedRecordsUpdateAction
CollectedRecordsCommentCreateAction: CollectedRecordsCommentCreateAction
RollupIterableValuesAction: RollupIterableValuesAction
CurrentRecordCallAutomationAction: CurrentRecordCallAutomationAction
CollectedRecordsCallAutomationAction: CollectedRecordsCallAutomationAction
CurrentRecordGenerateAutomationWeblinkAction: CurrentRecordGenerateAutomationWeblinkAction
DisplayWebpageAction: DisplayWebpageAction
RedirectUserAction: RedirectUserAction
SendEmailAction: SendEmailAction
CollectedRecordsSendEmailAction: CollectedRecordsSendEmailAction
CreatePdfAction: CreatePdfAction
HttpCallAction: HttpCallAction
AuthenticatedHttpCallAction: AuthenticatedHttpCallAction
DelayAction: DelayAction
ExitAction: ExitAction
ForLoopAction: ForLoopAction
ConditionalAction: ConditionalAction
RecordCreatedTrigger: RecordCreatedTrigger
RecordUpdatedTriggerConfigTriggerOnChangesFieldIdsList: RecordUpdatedTriggerConfigTriggerOnChangesFieldIdsList
RecordUpdatedTrigger: RecordUpdatedTrigger
RecordDeletedTrigger: RecordDeletedTrigger
RecordCommentOrReplyCreatedTrigger: RecordCommentOrReplyCreatedTrigger
DateFieldArrivedTrigger: DateFieldArrivedTrigger
AutomationCalledTrigger: AutomationCalledTrigger
PeriodicTrigger: PeriodicTrigger
WebhookReceivedTrigger: WebhookReceivedTrigger
WeblinkClickedTrigger: WeblinkClickedTrigger
BasicHookAuthentication: BasicHookAuthentication
BearerHookAuthentication: BearerHookAuthentication
Oauth2HookAuthentication: Oauth2HookAuthentication
CertificateHookAuthentication: CertificateHookAuthentication
BasicHookAuthenticationInput: BasicHookAuthenticationInput
BearerHookAuthenticationInput: BearerHookAuthenticationInput
Oauth2HookAuthenticationInput: Oauth2HookAuthenticationInput
CertificateHookAuthenticationInput: CertificateHookAuthenticationInput
GraphicIcon: GraphicIcon
EmojiIcon: EmojiIcon
OptionConstant: OptionConstant
UserConstant: UserConstant
RecordConstant: RecordConstant
PdfConstant: PdfConstant
DateConstant: DateConstant
TimeConstant: TimeConstant
TextFilterValue: TextFilterValue
NumberFilterValue: NumberFilterValue
IdsFilterValue: IdsFilterValue
DateFilterValue: DateFilterValue
BooleanFilterValue: BooleanFilterValue
EntityTypeFilterValue: EntityTypeFilterValue
SingleTextFieldAssignment: SingleTextFieldAssignment
MultiTextFieldAssignment: MultiTextFieldAssignment
NumberFieldAssignment: NumberFieldAssignment
SingleCategoryFieldAssignment: SingleCategoryFieldAssignment
MultiCategoryFieldAssignment: MultiCategoryFieldAssignment
StatusFieldAssignment: StatusFieldAssignment
SingleDateFieldAssignment: SingleDateFieldAssignment
RangeDateFieldAssignment: RangeDateFieldAssignment
SingleRelationFieldAssignment: SingleRelationFieldAssignment
MultiRelationFieldAssignment: MultiRelationFieldAssignment
SingleUserFieldAssignment: SingleUserFieldAssignment
MultiUserFieldAssignment: MultiUserFieldAssignment
ChecklistFieldAssignment: ChecklistFieldAssignment
MultiEmailFieldAssignment: MultiEmailFieldAssignment
MultiPhoneFieldAssignment: MultiPhoneFieldAssignment
MultiLinkFieldAssignment: MultiLinkFieldAssignment
SingleLocationFieldAssignment: SingleLocationFieldAssignment
SingleAttachmentFieldAssignment: SingleAttachmentFieldAssignment
MultiAttachmentFieldAssignment: MultiAttachmentFieldAssignment
MultiImageFieldAssignment: MultiImageFieldAssignment
RecordCreateWebhook: RecordCreateWebhook
RecordUpdateWebhook: RecordUpdateWebhook
RecordDeleteWebhook: RecordDeleteWebhook
RecordRestoreWebhook: RecordRestoreWebhook
CommentCreateWebhook: CommentCreateWebhook
CommentDeleteWebhook: CommentDeleteWebhook
AppUpdateWebhook: AppUpdateWebhook
HookFailingWebhook: HookFailingWebhook
HookInactiveWebhook: HookInactiveWebhook
AutomationBrokenWebhook: AutomationBrokenWebhook
AutomationRunFailedWebhook: AutomationRunFailedWebhook
HookVerifyWebhook: HookVerifyWebhook
}
operations: {
"accounts.me": {
parameters: {

}
answer: Me
}
"accounts.organization": {
parameters: {

}
answer: Organization
}
"accounts.users": {
parameters: {

}
answer: {
users: OrganizationUser[]
total: number
}
}
"accounts.userCreate": {
parameters: {

}
body: {
name: string
email: string
role: ("admin" | "member" | "guest")
/**
 * No link: who has a sign-in is active at once, others with their first one
 */
skip_invitation?: boolean
/**
 * To become a member of; needs `workspaces.members:manage` and full rights on each
 * 
 * @maxItems 100
 */
workspaces?: {
workspace_id: number
role: WorkspaceRole
}[]
}
answer: InvitedUser
}
"accounts.userUpdate": {
parameters: {
user_id: number
}
body: {
role?: OrganizationRole
status?: ("active" | "deactivated")
name?: string
phone?: (string | null)
job_description?: (string | null)
}
answer: OrganizationUser
}
"accounts.userRemove": {
parameters: {
user_id: number
}
answer: OrganizationUser
}
"accounts.userInvite": {
parameters: {
user_id: number
}
answer: InvitedUser
}
"accounts.userInvitationWithdraw": {
parameters: {
user_id: number
}
answer: OrganizationUser
}
"accounts.sessions": {
parameters: {

}
answer: SessionList
}
"accounts.sessionEndOthers": {
parameters: {

}
answer: SessionList
}
"accounts.sessionEnd": {
parameters: {
session_id: number
}
answer: Session
}
"workspaces.list": {
parameters: {

}
answer: {
total: number
workspaces: Workspace[]
}
}
"workspaces.get": {
parameters: {
workspace_id: number
}
answer: Workspace
}
"workspaces.update": {
parameters: {
workspace_id: number
}
body: {
name?: string
type?: WorkspaceType
description?: (string | null)
icon?: (Icon | null)
}
answer: Workspace
}
"workspaces.remove": {
parameters: {
workspace_id: number
}
answer: Workspace
}
"workspaces.create": {
parameters: {

}
body: {
name: string
type: WorkspaceType
description?: (string | null)
icon?: (Icon | null)
}
answer: Workspace
}
"workspaces.members": {
parameters: {
workspace_id: number
}
answer: {
workspace_members: WorkspaceMember[]
}
}
"workspaces.memberPut": {
parameters: {
workspace_id: number
}
body: {
user_id: number
role: WorkspaceRole
}
answer: WorkspaceMember
}
"workspaces.memberRemove": {
parameters: {
workspace_id: number
user_id: number
}
answer: WorkspaceMember
}
"apps.list": {
parameters: {

}
answer: AppList
}
"apps.create": {
parameters: {

}
body: AppCreate
answer: App
}
"apps.listOfWorkspace": {
parameters: {
workspace_id: number
}
answer: AppList
}
"apps.get": {
parameters: {
app_id: number
}
answer: AppSeen
}
"apps.update": {
parameters: {
app_id: number
}
body: AppUpdate
answer: App
}
"apps.remove": {
parameters: {
app_id: number
}
answer: App
}
"apps.reorder": {
parameters: {
app_id: number
}
body: FieldOrder
answer: App
}
"apps.convertField": {
parameters: {
field_id: number
}
body: FieldConvert
answer: FieldConversion
}
"listings.ofApp": {
parameters: {
app_id: number
limit?: number
cursor?: string
offset?: number
title?: string
fields?: string
total?: ("exact" | "none")
sort_by?: string
sort_desc?: boolean
}
answer: RecordPage
}
"records.create": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: RecordInput
answer: WrittenRecord
}
"records.get": {
parameters: {
record_id: number
include_deleted?: boolean
fields?: string
}
answer: AppRecord
}
"records.update": {
parameters: {
record_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: RecordInput
answer: WrittenRecord
}
"records.remove": {
parameters: {
record_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
skip_trash?: boolean
}
answer: WrittenRecord
}
"records.restore": {
parameters: {
record_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
answer: WrittenRecord
}
"records.revisions": {
parameters: {
record_id: number
include_deleted?: boolean
}
answer: {
total: number
revisions: Revision[]
}
}
"records.revisionDelta": {
parameters: {
record_id: number
revision: number
}
answer: RevisionDelta
}
"records.revisionAt": {
parameters: {
record_id: number
revision: number
}
answer: AppRecord
}
"comments.list": {
parameters: {
record_id: number
limit?: number
cursor?: string
}
answer: {
total: number
cursor: (string | null)
comments: Comment[]
}
}
"comments.create": {
parameters: {
record_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: CommentInput
answer: Comment
}
"comments.get": {
parameters: {
comment_id: number
}
answer: Comment
}
"comments.edit": {
parameters: {
comment_id: number
silent?: boolean
}
body: CommentInput
answer: Comment
}
"comments.remove": {
parameters: {
comment_id: number
silent?: boolean
hook?: boolean
}
answer: {
[k: string]: unknown
}
}
"comments.replies": {
parameters: {
comment_id: number
limit?: number
cursor?: string
}
answer: {
total: number
cursor: (string | null)
replies: Reply[]
}
}
"comments.reply": {
parameters: {
comment_id: number
silent?: boolean
workflow?: boolean
}
body: CommentInput
answer: Reply
}
"comments.getReply": {
parameters: {
reply_id: number
}
answer: Reply
}
"comments.editReply": {
parameters: {
reply_id: number
silent?: boolean
}
body: CommentInput
answer: Reply
}
"comments.removeReply": {
parameters: {
reply_id: number
silent?: boolean
}
answer: {
[k: string]: unknown
}
}
"files.upload": {
parameters: {

}
answer: UploadedFiles
}
"files.get": {
parameters: {
file_id: number
}
answer: StoredFile
}
"views.list": {
parameters: {
app_id: number
}
answer: {
views: ListedView[]
total: number
}
}
"views.get": {
parameters: {
view_id: number
}
answer: ViewAnswer
}
"views.update": {
parameters: {
view_id: number
}
body: ViewUpdate
answer: ViewAnswer
}
"views.remove": {
parameters: {
view_id: number
}
answer: {
view_id: number
}
}
"views.create": {
parameters: {
app_id: number
}
body: ViewCreate
answer: ViewAnswer
}
"views.makeDefault": {
parameters: {
view_id: number
}
answer: ViewAnswer
}
"listings.trash": {
parameters: {
app_id: number
limit?: number
cursor?: string
}
answer: RecordPage
}
"listings.ofView": {
parameters: {
view_id: number
limit?: number
cursor?: string
offset?: number
title?: string
fields?: string
total?: ("exact" | "none")
/**
 * An IANA time zone in which relative dates are judged; by default that of the caller's profile
 */
timezone?: string
}
answer: RecordPage
}
"listings.filter": {
parameters: {
app_id: number
limit?: number
cursor?: string
offset?: number
title?: string
fields?: string
total?: ("exact" | "none")
sort_by?: string
sort_desc?: boolean
}
body: {
/**
 * @maxItems 200
 */
filters: RecordFilter[]
/**
 * An IANA time zone in which relative dates are judged; by default that of the caller's profile
 */
timezone?: string
}
answer: RecordPage
}
"listings.groups": {
parameters: {
app_id: number
sort_desc?: boolean
limit?: number
cursor?: string
title?: string
}
body: {
/**
 * The `external_id` of a field, or its id
 */
group_by: string
/**
 * Span of time that a group of dates covers; other fields have none
 */
unit?: ("day" | "month" | "year")
/**
 * @maxItems 200
 */
filters: RecordFilter[]
/**
 * An IANA time zone in which relative dates are judged; by default that of the caller's profile
 */
timezone?: string
}
answer: RecordGroupPage
}
"listings.viewGroups": {
parameters: {
view_id: number
/**
 * The `external_id` of a field, or its id
 */
group_by?: string
/**
 * Span of time that a group of dates covers; other fields have none
 */
unit?: ("day" | "month" | "year")
sort_desc?: boolean
limit?: number
cursor?: string
title?: string
/**
 * An IANA time zone in which relative dates are judged; by default that of the caller's profile
 */
timezone?: string
}
answer: RecordGroupPage
}
"listings.related": {
parameters: {
app_id: number
ref_app_id: number
limit?: number
}
body: RelatedInput
answer: RecordPage
}
"listings.find": {
parameters: {
field_id: number
text?: string
}
answer: {
total: number
records: RecordPreview[]
}
}
"listings.match": {
parameters: {
field_id: number
}
body: MatchInput
answer: {
matches: MatchedRecords[]
}
}
"batch.create": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: {
/**
 * @maxItems 100
 */
inputs: RecordInput[]
}
answer: WrittenRecords
}
"batch.update": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
empty_response?: boolean
}
body: {
/**
 * @maxItems 100
 */
inputs: {
record_id: number
fields: FieldInputs
revision?: number
}[]
}
answer: (WrittenRecords | {
[k: string]: unknown
})
}
"batch.upsert": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: {
/**
 * @maxItems 2000
 */
match: number[]
/**
 * @maxItems 100
 */
records: RecordInput[]
}
answer: UpsertResults
}
"batch.remove": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
skip_trash?: boolean
}
body: RecordIds
answer: RecordIds
}
"imports.preview": {
parameters: {
app_id: number
}
body: ImportInput
answer: ImportPreview
}
"imports.begin": {
parameters: {
app_id: number
silent?: boolean
hook?: boolean
workflow?: boolean
}
body: ImportInput
answer: JobBegun
}
"webhooks.list": {
parameters: {
app_id: number
}
answer: {
webhooks: HookOfApp[]
total: number
}
}
"webhooks.create": {
parameters: {
app_id: number
}
body: {
type: HookType
url: string
}
answer: HookOfApp
}
"webhooks.get": {
parameters: {
hook_id: number
}
answer: HookOfApp
}
"webhooks.update": {
parameters: {
hook_id: number
}
body: {
url?: string
type?: HookType
/**
 * By name: a text, `{ secret: text }` for one that is never read, `{ set: true }` for the stored secret. None of the connection, of proxies, of a session, the body or the signature
 */
headers?: {
[k: string]: string | HookHeaderSecret | SecretSet
}
authentication?: (HookAuthenticationInput | null)
}
answer: HookOfApp
}
"webhooks.remove": {
parameters: {
hook_id: number
}
answer: Hook
}
"webhooks.settings": {
parameters: {
hook_id: number
}
answer: HookSettings
}
"webhooks.settingsUpdate": {
parameters: {
hook_id: number
}
body: HookSettingsUpdate
answer: HookSettings
}
"webhooks.test": {
parameters: {
hook_id: number
}
body: {
type?: HookType
}
answer: HookTestAnswer
}
"webhooks.samples": {
parameters: {
hook_id: number
}
answer: {
samples: HookSample[]
}
}
"webhooks.verification": {
parameters: {
hook_id: number
}
answer: {
attempts: VerificationAttempt[]
}
}
"webhooks.verifyRequest": {
parameters: {
hook_id: number
}
answer: Hook
}
"webhooks.verifyValidate": {
parameters: {
hook_id: number
}
body: {
code: string
}
answer: Hook
}
"webhooks.secret": {
parameters: {
hook_id: number
}
answer: HookSecret
}
"webhooks.secretRotate": {
parameters: {
hook_id: number
}
body: HookSecretRotation
answer: HookSecret
}
"webhooks.deliveries": {
parameters: {
hook_id: number
limit?: number
cursor?: string
status?: DeliveryStatus
type?: HookType
record_id?: number
since?: string
until?: string
}
answer: {
total: number
cursor: (string | null)
deliveries: Delivery[]
}
}
"webhooks.delivery": {
parameters: {
delivery_id: string
}
answer: DeliveryWithAttempts
}
"webhooks.deliveryReplay": {
parameters: {
delivery_id: string
}
answer: {
replayed: number
}
}
"webhookLog.replays": {
parameters: {
hook_id: number
}
answer: {
replays: HookReplay[]
}
}
"webhooks.replay": {
parameters: {
hook_id: number
}
body: {
since: string
until?: string
/**
 * @maxItems 20
 */
status?: DeliveryStatus[]
/**
 * @maxItems 20
 */
error?: string[]
/**
 * @maxItems 20
 */
type?: HookType[]
per_minute?: number
}
answer: {
replay_id: number
job_id: number
replayed: (number | null)
}
}
"webhookLog.export": {
parameters: {
hook_id: number
after?: string
status?: DeliveryStatus
since?: string
until?: string
type?: HookType
error?: string
}
}
"webhookLog.replay": {
parameters: {
replay_id: number
}
answer: HookReplay
}
"webhookLog.replayCancel": {
parameters: {
replay_id: number
}
answer: HookReplay
}
"webhookLog.statistics": {
parameters: {
hook_id: number
since?: string
until?: string
step?: StatisticsStep
}
answer: HookStatistics
}
"webhookLog.statisticsOfApp": {
parameters: {
app_id: number
since?: string
until?: string
step?: StatisticsStep
}
answer: HookStatistics
}
"webhookLog.statisticsOfOrganization": {
parameters: {
since?: string
until?: string
step?: StatisticsStep
}
answer: HookStatistics
}
"automations.listApp": {
parameters: {
app_id: number
limit?: number
cursor?: string
status?: AutomationStatus
/**
 * A part of the name; case does not count
 */
name?: string
/**
 * A tag that they have; case does not count
 */
tag?: string
}
answer: AutomationPage
}
"automations.create": {
parameters: {
app_id: number
}
body: AutomationCreate
answer: AutomationAnswer
}
"automations.listWorkspace": {
parameters: {
workspace_id: number
limit?: number
cursor?: string
status?: AutomationStatus
/**
 * A part of the name; case does not count
 */
name?: string
/**
 * A tag that they have; case does not count
 */
tag?: string
}
answer: AutomationPage
}
"automations.listOrg": {
parameters: {
limit?: number
cursor?: string
status?: AutomationStatus
/**
 * A part of the name; case does not count
 */
name?: string
/**
 * A tag that they have; case does not count
 */
tag?: string
}
answer: AutomationPage
}
"automations.listTags": {
parameters: {

}
answer: AutomationTags
}
"automations.get": {
parameters: {
automation_id: number
}
answer: AutomationAnswer
}
"automations.update": {
parameters: {
automation_id: number
}
body: AutomationUpdate
answer: AutomationAnswer
}
"automations.remove": {
parameters: {
automation_id: number
}
answer: AutomationAnswer
}
"automationRuns.call": {
parameters: {
automation_id: number
}
body: AutomationCall
answer: {
[k: string]: unknown
}
}
"automations.setTrigger": {
parameters: {
automation_id: number
}
body: Trigger
answer: AutomationAnswer
}
"automations.activate": {
parameters: {
automation_id: number
}
answer: AutomationAnswer
}
"automations.pause": {
parameters: {
automation_id: number
}
answer: AutomationAnswer
}
"automations.duplicate": {
parameters: {
automation_id: number
}
body: AutomationDuplicate
answer: AutomationAnswer
}
"automations.portable": {
parameters: {
automation_id: number
}
answer: {
file: PortableAutomation
}
}
"automations.import": {
parameters: {

}
body: AutomationImport
answer: AutomationImported
}
"automations.validate": {
parameters: {
automation_id: number
}
answer: {
valid: boolean
errors: BrokenReason[]
/**
 * What is probably not meant, in the shape of errors; absent when there is nothing, never decisive
 */
warnings?: BrokenReason[]
}
}
"automations.previewSchedule": {
parameters: {

}
body: SchedulePreview
answer: UpcomingInstants
}
"automations.revisions": {
parameters: {
automation_id: number
limit?: number
before_version?: number
}
answer: {
revisions: AutomationRevision[]
}
}
"automations.revision": {
parameters: {
automation_id: number
revision_id: string
}
answer: {
revision: AutomationRevision
}
}
"automations.revisionDiff": {
parameters: {
automation_id: number
from_id: string
to_id: string
}
answer: {
differences: AutomationRevisionChange[]
}
}
"automations.restore": {
parameters: {
automation_id: number
revision_id: string
}
answer: AutomationAnswer
}
"automationMeta.actions": {
parameters: {

}
answer: ActionCatalogue
}
"automationMeta.triggers": {
parameters: {

}
answer: TriggerCatalogue
}
"automationMeta.script": {
parameters: {

}
answer: ScriptCatalogue
}
"automationMeta.filter": {
parameters: {
field_type?: string
}
answer: FilterCatalogue
}
"automationRuns.manualRun": {
parameters: {
automation_id: number
}
body: AutomationRunCreate
answer: AutomationRunAccepted
}
"automationRuns.simulate": {
parameters: {
automation_id: number
}
body: {
record_id?: number
webhook_payload?: unknown
/**
 * Always `true`
 */
use_last_received_webhook_payload?: boolean
/**
 * Answers of outside steps by their ids: { status, headers?, data? } of HTTP requests, values by variable label of scripts, {} of mails
 */
pinned?: {
[k: string]: unknown
}
/**
 * Simulates this revision's definition instead of the present one
 */
revision_id?: string
}
answer: AutomationRunAccepted
}
"automationRuns.testStep": {
parameters: {
automation_id: number
}
body: {
action_id: string
record_id?: number
/**
 * A run of the automation whose trigger data, variables and outputs the step finds
 */
run_id?: string
/**
 * The step takes effect, with the rights of who asks; otherwise it is dry
 */
real?: boolean
}
answer: AutomationRunAccepted
}
"automationRuns.callDeprecated": {
parameters: {
automation_id: number
}
body: AutomationCall
answer: {
[k: string]: unknown
}
}
"automationRuns.weblink": {
parameters: {

}
body: WeblinkCreate
answer: Weblink
}
"automationRuns.weblinkDeprecated": {
parameters: {

}
body: WeblinkCreate
answer: Weblink
}
"automationRuns.list": {
parameters: {

}
body: AutomationRunSearch
answer: AutomationRunPage
}
"automationRuns.summary": {
parameters: {

}
body: {
/**
 * @maxItems 100
 */
automation_ids: number[]
}
answer: {
summaries: AutomationRunSummary[]
}
}
"automationRuns.listApp": {
parameters: {
id: number
}
body: PageRequest
answer: AutomationRunPage
}
"automationRuns.listWorkspace": {
parameters: {
id: number
}
body: PageRequest
answer: AutomationRunPage
}
"automationRuns.listAutomation": {
parameters: {
id: number
}
body: PageRequest
answer: AutomationRunPage
}
"automationRuns.get": {
parameters: {
run_id: string
log_limit?: number
}
answer: {
automation_run: AutomationRunWithLogs
}
}
"automationRuns.log": {
parameters: {
run_id: string
limit?: number
cursor?: string
status?: AutomationRunLogStatus
outside_loops?: boolean
/**
 * The `action_id` of a loop: what stands directly inside of it
 */
loop?: string
/**
 * The 0-based items of that loop and those around it: `17`, `3.17`
 */
iteration?: string
}
answer: AutomationRunLogPage
}
"automationRuns.loops": {
parameters: {
run_id: string
/**
 * The `action_id` of a loop: what stands directly inside of it
 */
loop?: string
/**
 * The 0-based items of that loop and those around it: `17`, `3.17`
 */
iteration?: string
}
answer: {
loops: AutomationRunLoop[]
}
}
"automationRuns.loopItems": {
parameters: {
run_id: string
action_id: string
limit?: number
status?: AutomationRunLoopItemStatus
/**
 * The 0-based items of the loops around it, the outermost first: `3`
 */
iteration?: string
}
answer: AutomationRunLoopItems
}
"automationRuns.diff": {
parameters: {
run_id: string
other_run_id: string
}
answer: {
differences: AutomationRunDifference[]
}
}
"automationRuns.cancelMany": {
parameters: {

}
body: AutomationRunSelection
answer: JobBegun
}
"automationRuns.retryMany": {
parameters: {

}
body: AutomationRunsRetry
answer: JobBegun
}
"automationRuns.deleteMany": {
parameters: {

}
body: AutomationRunSelection
answer: JobBegun
}
"automationRuns.cancel": {
parameters: {
run_id: string
}
answer: AutomationRunAnswer
}
"automationRuns.retry": {
parameters: {
run_id: string
}
body: {
from?: ("start" | "failed_step")
definition?: ("current" | "original")
}
answer: AutomationRunAccepted
}
"jobs.list": {
parameters: {
cursor?: string
limit?: number
}
answer: {
total: number
cursor: (string | null)
jobs: Job[]
}
}
"jobs.get": {
parameters: {
job_id: number
}
answer: Job
}
"jobs.cancel": {
parameters: {
job_id: number
}
answer: Job
}
"secrets.organizationList": {
parameters: {

}
answer: SecretList
}
"secrets.organizationCreate": {
parameters: {

}
body: OrganizationSecretCreate
answer: Secret
}
"secrets.workspaceList": {
parameters: {
workspace_id: number
}
answer: SecretList
}
"secrets.workspaceCreate": {
parameters: {
workspace_id: number
}
body: SecretCreate
answer: Secret
}
"secrets.appList": {
parameters: {
app_id: number
}
answer: SecretList
}
"secrets.appCreate": {
parameters: {
app_id: number
}
body: SecretCreate
answer: Secret
}
"secrets.get": {
parameters: {
secret_id: number
}
answer: Secret
}
"secrets.update": {
parameters: {
secret_id: number
}
body: SecretUpdate
answer: Secret
}
"secrets.remove": {
parameters: {
secret_id: number
}
answer: Secret
}
"events.stream": {
parameters: {
app_id?: number
kinds?: string
last_event_id?: string
seconds?: number
}
}
"home.summary": {
parameters: {

}
answer: HomeSummary
}
"search.find": {
parameters: {
q: string
app_id?: number
workspace_id?: number
kinds?: string
limit?: number
cursor?: string
}
answer: SearchPage
}
"usage.ofField": {
parameters: {
field_id: number
}
answer: FieldUsage
}
"usage.ofApp": {
parameters: {
app_id: number
}
answer: AppUsage
}
"usage.ofOrganization": {
parameters: {

}
answer: OrganizationUsage
}
"connections.own": {
parameters: {
client_id?: string
limit?: number
offset?: number
}
answer: AppConnectionList
}
"connections.organization": {
parameters: {
client_id?: string
limit?: number
offset?: number
}
answer: AppConnectionList
}
"connections.end": {
parameters: {
connection_id: number
}
answer: AppConnection
}
"connections.endAll": {
parameters: {

}
body: {
client_id: string
of: ("own" | "organization")
}
answer: EndedConnections
}
"appPolicy.apps": {
parameters: {

}
answer: ConnectedAppList
}
"appPolicy.setMode": {
parameters: {

}
body: {
mode: ("all" | "approved")
}
answer: {
mode: ("all" | "approved")
}
}
"appPolicy.setAccess": {
parameters: {

}
body: {
client_id: string
access: (("everyone" | "admins" | "blocked") | null)
}
answer: EndedConnections
}
"appPolicy.setUserBlock": {
parameters: {

}
body: {
client_id: string
user_id: number
blocked: boolean
}
answer: EndedConnections
}
"audit.list": {
parameters: {
event?: string
user_id?: number
client_id?: string
since?: string
until?: string
before?: number
limit?: number
}
answer: AuditEventList
}
"mailAccounts.list": {
parameters: {

}
answer: {
total: number
smtp_accounts: SmtpAccount[]
}
}
"mailAccounts.create": {
parameters: {

}
body: SmtpAccountCreate
answer: SmtpAccount
}
"mailAccounts.update": {
parameters: {
smtp_account_id: number
}
body: SmtpAccountUpdate
answer: SmtpAccount
}
"mailAccounts.remove": {
parameters: {
smtp_account_id: number
}
answer: SmtpAccount
}
"mailAccounts.try": {
parameters: {
smtp_account_id: number
}
answer: AccountTried
}
"mailAccounts.uses": {
parameters: {
smtp_account_id: number
}
answer: AccountUses
}
"authenticationProviders.list": {
parameters: {

}
answer: {
total: number
authentication_providers: AuthenticationProvider[]
}
}
"authenticationProviders.create": {
parameters: {

}
body: AuthenticationProviderCreate
answer: AuthenticationProvider
}
"authenticationProviders.update": {
parameters: {
authentication_provider_id: number
}
body: AuthenticationProviderUpdate
answer: AuthenticationProvider
}
"authenticationProviders.remove": {
parameters: {
authentication_provider_id: number
}
answer: AuthenticationProvider
}
"authenticationProviders.try": {
parameters: {
authentication_provider_id: number
}
answer: AccountTried
}
"authenticationProviders.uses": {
parameters: {
authentication_provider_id: number
}
answer: AccountUses
}
"files.content": {
parameters: {
file_id: number
expires: number
signature: string
}
}
}
events: {
"record.create": RecordCreateWebhook
"record.update": RecordUpdateWebhook
"record.delete": RecordDeleteWebhook
"record.restore": RecordRestoreWebhook
"comment.create": CommentCreateWebhook
"comment.delete": CommentDeleteWebhook
"app.update": AppUpdateWebhook
"hook.failing": HookFailingWebhook
"hook.inactive": HookInactiveWebhook
"automation.broken": AutomationBrokenWebhook
"automation.run_failed": AutomationRunFailedWebhook
"hook.verify": HookVerifyWebhook
}
}
export interface NotFoundError {
status_code: 404
/**
 * Path of the request
 */
endpoint: string
error_code: "not_found"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface RestrictedResourceError {
status_code: 403
/**
 * Path of the request
 */
endpoint: string
error_code: "restricted_resource"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface AccountUses {
/**
 * Automations that name it
 */
automations: AutomationUse[]
/**
 * Those of apps that the caller does not administer
 */
other_automations: number
/**
 * Hooks that sign in by it
 */
hooks: HookUse[]
/**
 * Those of apps that the caller does not administer
 */
other_hooks: number
}
export interface AutomationUse {
automation_id: number
name: string
app_id: number
app_name: string
}
export interface HookUse {
hook_id: number
host: string
}
export interface AccountTried {
works: boolean
/**
 * Why it does not, in words
 */
message: (string | null)
}
export interface AuthenticationProvider {
authentication_provider_id: number
name: string
grant_type: ("client_credentials" | "refresh_token")
token_url: string
client_id: string
/**
 * How the client signs in at the token endpoint: in a header, or in the body (RFC 6749 2.3.1)
 */
client_auth: ("basic" | "post")
scope: (string | null)
client_secret_set: boolean
refresh_token_set: boolean
/**
 * When its present token ends, where that is known
 */
expires_on: (string | null)
allowed: AllowedUse
created_at: string
}
export interface ConflictError {
status_code: 409
/**
 * Path of the request
 */
endpoint: string
error_code: "conflict_error"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
/**
 * Why an automation is broken, part by part
 */
errors?: unknown[]
}
export interface ValidationError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "validation"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface AuthenticationProviderUpdate {
name?: string
grant_type?: ("client_credentials" | "refresh_token")
token_url?: string
client_id?: string
/**
 * How the client signs in at the token endpoint: in a header, or in the body (RFC 6749 2.3.1)
 */
client_auth?: ("basic" | "post")
scope?: (string | null)
client_secret?: string
refresh_token?: string
allowed?: AllowedUse
}
export interface AuthenticationProviderCreate {
name: string
grant_type: ("client_credentials" | "refresh_token")
token_url: string
client_id: string
/**
 * How the client signs in at the token endpoint: in a header, or in the body (RFC 6749 2.3.1)
 */
client_auth?: ("basic" | "post")
scope?: (string | null)
client_secret?: string
refresh_token?: string
allowed?: AllowedUse
}
export interface SmtpAccount {
smtp_account_id: number
name: string
host: string
port: number
/**
 * TLS from the first byte, STARTTLS required, or neither
 */
security: ("tls" | "starttls" | "none")
username: (string | null)
password_set: boolean
from_address: string
from_name: (string | null)
/**
 * Mail that names no account goes through it, where it may be used
 */
is_default: boolean
allowed: AllowedUse
created_at: string
}
export interface SmtpAccountUpdate {
name?: string
host?: string
port?: number
/**
 * TLS from the first byte, STARTTLS required, or neither
 */
security?: ("tls" | "starttls" | "none")
username?: (string | null)
password?: string
from_address?: string
from_name?: (string | null)
/**
 * Always `true`
 */
is_default?: boolean
allowed?: AllowedUse
}
export interface SmtpAccountCreate {
name: string
host: string
/**
 * 587 unless given
 */
port?: number
/**
 * TLS from the first byte, STARTTLS required, or neither
 */
security?: ("tls" | "starttls" | "none")
username?: (string | null)
password?: string
from_address: string
from_name?: (string | null)
/**
 * Always `true`
 */
is_default?: boolean
allowed?: AllowedUse
}
export interface AuditEventList {
events: AuditEvent[]
}
export interface AuditEvent {
audit_id: number
happened_on: string
/**
 * `<subject>.<verb>`
 */
event: string
/**
 * Of a refusal
 */
reason_id: (string | null)
user_id: (number | null)
user_name: (string | null)
client_id: (string | null)
client_name: (string | null)
connection_id: (number | null)
/**
 * With what it was done: `user_api_key`, `personal_access_token`, `oauth_access_token`, `session`, `automation` or `operator`; null where the service itself acted, and of entries of earlier releases
 */
credential: (string | null)
/**
 * Which one: the token, the connection or the automation
 */
credential_id: (number | null)
source_address: (string | null)
details: {
[k: string]: unknown
}
/**
 * Of refusals that are counted: how many there were in the minute that begins at `happened_on`
 */
count: (number | null)
}
export interface EndedConnections {
/**
 * So many connections ended
 */
ended: number
}
export interface ConnectedAppList {
/**
 * Which apps may connect anew: all, or those with a rule that approves them
 */
mode: ("all" | "approved")
apps: ConnectedApp[]
total: number
}
export interface ConnectedApp {
client_id: string
client_name: (string | null)
/**
 * The organization's rule for the app; null without one
 */
access: (("everyone" | "admins" | "blocked") | null)
blocked_user_ids: number[]
connections: number
last_used_on: (string | null)
}
export interface AppConnection {
connection_id: number
client_id: string
client_name: (string | null)
user_id: number
user_name: string
scopes: ("organization:read" | "organization.members:manage" | "workspaces:read" | "workspaces:edit" | "workspaces.members:manage" | "apps:read" | "apps:edit" | "records:read" | "records:edit" | "records.comments:read" | "records.comments:edit" | "records:share" | "automations:read" | "automations:edit" | "automations:run" | "webhooks:manage" | "email:send" | "secrets:read" | "secrets:manage")[]
approved_on: string
last_used_on: (string | null)
expires_on: (string | null)
}
export interface AppConnectionList {
connections: AppConnection[]
/**
 * Of all pages
 */
total: number
}
export interface OrganizationUsage {
actions: {
/**
 * Credits that automations have used in the present hour, UTC (developer-api.md 7.11 rule 5)
 */
used: number
/**
 * The organization's own, or else that of the installation
 */
limit: number
/**
 * The last 24 hours, the present one at the end
 */
hours: {
from: string
used: number
}[]
}
mails: {
/**
 * Mails of automations in the last 24 hours
 */
used: number
/**
 * The organization's own, or else that of the installation
 */
limit: number
}
storage: {
/**
 * All files, those of records in the trash included
 */
used_bytes: number
limit_bytes: number
}
/**
 * Those who are not deactivated
 */
users: number
apps: number
/**
 * Without those in the trash
 */
records: number
automations: number
hooks: number
}
export interface AppUsage {
app_id: number
records: number
trashed_records: number
comments: number
views: number
hooks: number
/**
 * Automations of the app itself, which go with it
 */
own_automations: number
/**
 * Automations of other apps that name it, and would break
 */
automations: AutomationUse[]
/**
 * Automations of apps that the caller does not administer
 */
other_automations: number
/**
 * Relation fields of other apps that the caller administers, which would no longer offer its records
 */
relations: RelationUse[]
}
export interface RelationUse {
field_id: number
label: string
app_id: number
app_name: string
}
export interface FieldUsage {
field_id: number
/**
 * Records with a value in it, the trash included
 */
records: number
/**
 * Views that filter, sort or group by it, or are laid out by it
 */
views: ViewUse[]
/**
 * Private views of others that do so
 */
other_views: number
/**
 * Automations that name it, and would break
 */
automations: AutomationUse[]
/**
 * Automations of apps that the caller does not administer
 */
other_automations: number
/**
 * Hooks that filter by it, or are told of it alone
 */
hooks: HookUse[]
}
export interface ViewUse {
view_id: number
name: string
}
export interface SearchPage {
results: SearchResult[]
cursor: (string | null)
}
export interface SearchResult {
kind: ("record" | "comment" | "automation" | "app")
id: number
app_id: number
/**
 * A comment has that of its record
 */
title: string
/**
 * The record of a comment
 */
record_id?: number
/**
 * The reply to the comment that was found
 */
reply_id?: number
/**
 * The field of the snippet
 */
field_id?: number
/**
 * Plain text of at most 162 characters; empty if only the title matches
 */
snippet: string
/**
 * How well it matches, from 0 to 1
 */
score: number
}
export interface HomeSummary {
/**
 * The beginning of `hours`, and of what `failed_runs` counts
 */
since: string
/**
 * False where the organization had more runs than are looked at: the newest 20,000
 */
whole: boolean
/**
 * Broken, or with runs that failed; at most 20
 */
automations: FailingAutomation[]
/**
 * Failing, or without their verification; at most 20
 */
hooks: FailingHook[]
/**
 * Open runs by why they wait; `running`: they do not
 */
waiting: HomeWaiting[]
/**
 * Dates of records that fire automations within a day; at most 20
 */
due: HomeDue[]
hours: HomeHour[]
}
export interface FailingAutomation {
automation_id: number
name: string
app_id: number
app_name: string
broken: boolean
failed_runs: number
last_run_id: (string | null)
last_error: (string | null)
}
export interface FailingHook {
hook_id: number
app_id: number
app_name: string
type: string
host: string
status: ("active" | "inactive")
failures: number
}
export interface HomeWaiting {
why: ("delay" | "place" | "credits" | "retry" | "called_run" | "concurrency" | "debounce" | "running")
runs: number
oldest: string
}
export interface HomeDue {
due_at: string
automation_id: number
name: string
app_id: number
record_id: number
title: string
}
export interface HomeHour {
from: string
runs: {
completed: number
failed: number
cancelled: number
open: number
}
deliveries: {
delivered: number
retrying: number
failed: number
}
}
export interface TooManyRequestsError {
status_code: 429
/**
 * Path of the request
 */
endpoint: string
error_code: "too_many_requests"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
retry_after?: number
rate_limit?: number
rate_limit_remaining?: number
rate_limit_cost?: number
rate_limit_reset?: string
}
export interface ReadyServerSentEvent {
id: string
event: "ready"
data: StreamReady
}
export interface StreamReady {
resumed: boolean
}
export interface ResetServerSentEvent {
id: string
event: "reset"
data: StreamReset
}
export interface StreamReset {
[k: string]: unknown
}
export interface RecordServerSentEvent {
id: string
event: "record"
data: RecordChanged
}
export interface RecordChanged {
app_id: number
type: string
record_id: number
revision?: number
comment_id?: number
reply_id?: number
}
export interface AppServerSentEvent {
id: string
event: "app"
data: AppChanged
}
export interface AppChanged {
app_id: number
type: string
}
export interface RunServerSentEvent {
id: string
event: "run"
data: RunChanged
}
export interface RunChanged {
app_id: number
run_id: string
automation_id: number
record_id: (number | null)
status: ("pending" | "running" | "completed" | "failed" | "cancelled")
entries: number
}
export interface DeliveryServerSentEvent {
id: string
event: "delivery"
data: DeliveryChanged
}
export interface DeliveryChanged {
app_id: number
delivery_id: string
hook_id: number
type: string
status: DeliveryStatus
num_attempts: number
}
export interface EndServerSentEvent {
id: string
event: "end"
data: StreamEnd
}
export interface StreamEnd {
reason: ("time" | "credential" | "stopping")
}
export interface Secret {
secret_id: number
name: string
description: (string | null)
org_id: number
/**
 * Set for one of a workspace
 */
workspace_id: (number | null)
/**
 * Set for one of an app
 */
app_id: (number | null)
/**
 * Workspaces that may use one of the organization; of those, who is neither owner nor admin reads the ones that they see. Null for one of a workspace or an app, whose apps use it
 */
allowed: (AllowedUse | null)
created_at: string
/**
 * User id; null for the operator
 */
created_by: (number | null)
updated_at: string
/**
 * User id; null for the operator
 */
updated_by: (number | null)
}
export interface SecretUpdate {
value?: string
description?: (string | null)
allowed?: AllowedUse
}
export interface SecretList {
total: number
secrets: Secret[]
}
export interface SecretCreate {
/**
 * By which automations refer to it; never changes
 */
name: string
value: string
description?: (string | null)
}
export interface OrganizationSecretCreate {
/**
 * By which automations refer to it; never changes
 */
name: string
value: string
description?: (string | null)
allowed?: AllowedUse
}
export interface Job {
job_id: number
kind: JobKind
status: JobStatus
/**
 * How many it has worked on, of how many there were when it began; of an import, rows, of an estimate until it is over; of a replay, deliveries that have their result, of those chosen so far
 */
progress: {
done: number
total: number
}
/**
 * What became of them: `cancelled`, `retried`, `deleted`, `replayed`, `created`, `updated`, `calculated`, `indexed`, `converted`; `unconvertible`: their field is empty; `empty`: had no value; `skipped`, `unchanged`: left as they are, or not imported. Of an import also `cells_left_empty` and `options_added`
 */
counts: {
[k: string]: number
}
/**
 * Why things were skipped, the first 100; and why a job has failed
 */
report: JobReportEntry[]
/**
 * What it leaves once it is over: of an import, the rows that were not imported, with line and reason
 */
file: (JobFile | null)
created_at: string
completed_at: (string | null)
}
export interface JobReportEntry {
/**
 * What it is about: a run, a line of the imported file; null: the job itself
 */
id: (string | null)
message: string
}
export interface JobFile {
name: string
size: number
/**
 * Signed, for an hour
 */
link: string
}
export interface InvalidRequestUrlError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "invalid_request_url"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface AutomationRunAccepted {
message: string
/**
 * The run that comes of it, as `Location` names it; null where its filter is still to be judged and may reject it
 */
run_id: (string | null)
}
export interface AutomationRunAnswer {
automation_run: AutomationRun
}
export interface AutomationRun {
id: string
automation_id: number
automation_name: string
automation_revision_id: string
app_id: number
app_name: string
workspace_id: number
status: AutomationRunStatus
type: AutomationRunType
created_at: string
filtering_at: (string | null)
started_at: (string | null)
completed_at: (string | null)
execution_duration_ms: number
waiting_duration_ms: number
num_consumed_actions: number
failure_reason: (string | null)
error_message: (string | null)
triggered_on_record_id: (number | null)
triggered_on_record_revision_id: (number | null)
triggered_by_automation_id: (number | null)
retry_of_run_id: (string | null)
waiting: (AutomationRunWaiting | null)
caused_by_run_id?: string
/**
 * The run that the chain began with; absent where there is no chain
 */
chain_run_id?: string
/**
 * Runs that this one has caused, at most the first 100
 */
child_run_ids?: string[]
}
/**
 * Why an open run waits, and the step it goes on with
 */
export interface AutomationRunWaiting {
since: string
until: (string | null)
why: AutomationWaitReason
action_id: (string | null)
label: (string | null)
/**
 * 0-based, of each enclosing loop, the outermost first
 */
iteration: number[]
}
export interface JobBegun {
/**
 * Seen at `/v1/job/{job_id}`, as `Location` names it
 */
job_id: number
}
export interface AutomationRunSelection {
/**
 * @maxItems 100
 */
app_ids?: number[]
/**
 * @maxItems 100
 */
automation_ids?: number[]
/**
 * @maxItems 100
 */
workspace_ids?: number[]
status?: AutomationRunStatus
created_at_from?: string
created_at_to?: string
/**
 * These runs alone
 * 
 * @maxItems 500
 */
run_ids?: string[]
/**
 * @maxItems 100
 */
record_ids?: number[]
/**
 * @maxItems 100
 */
caused_by_run_ids?: string[]
/**
 * @maxItems 100
 */
chain_run_ids?: string[]
/**
 * @maxItems 100
 */
retry_of_run_ids?: string[]
/**
 * A part of the error message; case does not count
 */
error_contains?: string
/**
 * @maxItems 7
 */
waiting?: AutomationWaitReason[]
}
export interface AutomationRunsRetry {
/**
 * @maxItems 100
 */
app_ids?: number[]
/**
 * @maxItems 100
 */
automation_ids?: number[]
/**
 * @maxItems 100
 */
workspace_ids?: number[]
status?: AutomationRunStatus
created_at_from?: string
created_at_to?: string
/**
 * These runs alone
 * 
 * @maxItems 500
 */
run_ids?: string[]
/**
 * @maxItems 100
 */
record_ids?: number[]
/**
 * @maxItems 100
 */
caused_by_run_ids?: string[]
/**
 * @maxItems 100
 */
chain_run_ids?: string[]
/**
 * @maxItems 100
 */
retry_of_run_ids?: string[]
/**
 * A part of the error message; case does not count
 */
error_contains?: string
/**
 * @maxItems 7
 */
waiting?: AutomationWaitReason[]
from?: ("start" | "failed_step")
definition?: ("current" | "original")
}
export interface AutomationRunDifference {
kind: ("added" | "removed" | "changed")
action_id: string
execution: number
label: string
before?: AutomationRunOutcome
after?: AutomationRunOutcome
}
export interface AutomationRunOutcome {
status: string
record_id: (number | null)
inputs: {
[k: string]: unknown
}
messages: string[]
}
export interface AutomationRunLoopItems {
action_id: string
label: string
/**
 * How many items it has
 */
size: number
items: AutomationRunLoopCounts
/**
 * Those that failed first, then those under way
 */
shown: AutomationRunLoopItem[]
}
/**
 * How many of them stand so
 */
export interface AutomationRunLoopCounts {
failure: number
in_progress: number
cancelled: number
success: number
skipped: number
pending: number
}
export interface AutomationRunLoopItem {
/**
 * 0-based
 */
item: number
status: AutomationRunLoopItemStatus
record_id?: number
/**
 * Absent where the caller does not administer its app
 */
record_title?: string
error_message?: string
started_at?: string
completed_at?: string
}
export interface AutomationRunLoop {
action_id: string
label: string
/**
 * How many items it has
 */
size: number
items: AutomationRunLoopCounts
}
export interface AutomationRunLogPage {
total: number
cursor: (string | null)
logs: AutomationRunLog[]
}
export interface AutomationRunLog {
id: string
type: ("trigger" | "filter" | "action" | "exception")
status: AutomationRunLogStatus
label: string
messages: {
message: string
level: (string | null)
}[]
action_id: (string | null)
record_id: (number | null)
/**
 * Of a step in loops, the 0-based item of each, the outermost first; absent outside of loops
 */
iteration?: number[]
logged_at: string
detail: ({
[k: string]: unknown
} | null)
}
export interface AutomationRunWithLogs {
id: string
automation_id: number
automation_name: string
automation_revision_id: string
app_id: number
app_name: string
workspace_id: number
status: AutomationRunStatus
type: AutomationRunType
created_at: string
filtering_at: (string | null)
started_at: (string | null)
completed_at: (string | null)
execution_duration_ms: number
waiting_duration_ms: number
num_consumed_actions: number
failure_reason: (string | null)
error_message: (string | null)
triggered_on_record_id: (number | null)
triggered_on_record_revision_id: (number | null)
triggered_by_automation_id: (number | null)
retry_of_run_id: (string | null)
waiting: (AutomationRunWaiting | null)
caused_by_run_id?: string
/**
 * The run that the chain began with; absent where there is no chain
 */
chain_run_id?: string
/**
 * Runs that this one has caused, at most the first 100
 */
child_run_ids?: string[]
present_step?: {
action_id: (string | null)
label: (string | null)
/**
 * 0-based, of each enclosing loop, the outermost first
 */
iteration: number[]
attempts: number
}
/**
 * Where the web interface of Temporal shows its workflow; absent where it has none, or none is set up
 */
temporal_url?: string
logs: AutomationRunLog[]
}
export interface AutomationRunPage {
total: number
cursor: (string | null)
automation_runs: AutomationRun[]
}
export interface PageRequest {
cursor?: string
limit?: number
}
export interface AutomationRunSummary {
automation_id: number
/**
 * Those among its newest 100 that are no simulations
 */
runs: number
completed: number
failed: number
cancelled: number
open: number
last_run?: {
id: string
status: AutomationRunStatus
created_at: string
error_message: (string | null)
}
}
export interface AutomationRunSearch {
cursor?: string
limit?: number
/**
 * @maxItems 100
 */
app_ids?: number[]
/**
 * @maxItems 100
 */
automation_ids?: number[]
/**
 * @maxItems 100
 */
workspace_ids?: number[]
status?: AutomationRunStatus
created_at_from?: string
created_at_to?: string
/**
 * These runs alone
 * 
 * @maxItems 500
 */
run_ids?: string[]
/**
 * @maxItems 100
 */
record_ids?: number[]
/**
 * @maxItems 100
 */
caused_by_run_ids?: string[]
/**
 * @maxItems 100
 */
chain_run_ids?: string[]
/**
 * @maxItems 100
 */
retry_of_run_ids?: string[]
/**
 * A part of the error message; case does not count
 */
error_contains?: string
/**
 * @maxItems 7
 */
waiting?: AutomationWaitReason[]
}
export interface Weblink {
trigger_token: string
trigger_client_url: string
}
export interface WeblinkCreate {
trigger_workflow_def_id: number
trigger_on_record_id: number
triggered_by_record_id?: number
triggered_by_workflow_def_id?: number
trigger_with_arguments?: {
[k: string]: unknown
}
is_manual_run?: boolean
is_simulation?: boolean
expiration_type?: ("NEVER" | "ONE_DAY" | "ONE_WEEK" | "ONE_MONTH" | "ONE_YEAR")
expire_after_first_click?: boolean
}
export interface AutomationCall {
trigger_on_record_id: number
triggered_by_record_id?: number
triggered_by_workflow_def_id?: number
trigger_with_arguments?: {
[k: string]: unknown
}
is_manual_run?: boolean
is_simulation?: boolean
}
export interface AutomationOwnerLostError {
status_code: 409
/**
 * Path of the request
 */
endpoint: string
error_code: "automation_owner_lost"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface RecordNotExistsError {
status_code: 404
/**
 * Path of the request
 */
endpoint: string
error_code: "record_not_exists"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface AutomationRunCreate {
record_id?: number
webhook_payload?: unknown
/**
 * Always `true`
 */
use_last_received_webhook_payload?: boolean
}
export interface FilterCatalogue {
field_type: string
operators: {
operator: string
label: string
description: string
value_arity: string
}[]
}
/**
 * What scripts find. As TypeScript: /v1/automation/script.d.ts
 */
export interface ScriptCatalogue {
names: {
name: string
where: string
type: string
description: string
}[]
types: string[]
libraries: {
package: string
version: string
}[]
unavailable: string[]
limits: {
expression: ScriptLimits
custom_code: ScriptLimits
}
}
export interface ScriptLimits {
[k: string]: number
}
export interface TriggerCatalogue {
triggers: {
type: string
label: string
description: string
/**
 * JSON Schema 2020-12
 */
config_schema: {
[k: string]: unknown
}
}[]
}
export interface ActionCatalogue {
actions: {
type: string
group: ("action" | "control_flow")
label: string
description: string
/**
 * JSON Schema 2020-12
 */
config_schema: {
[k: string]: unknown
}
}[]
retry: {
types: string[]
/**
 * JSON Schema 2020-12
 */
schema: {
[k: string]: unknown
}
}
}
export interface InputValidationError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "input_validation"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface AutomationAnswer {
automation: Automation
}
export interface Automation {
id: number
app_id: number
workspace_id: number
name: string
description?: string
status: AutomationStatus
paused: boolean
paused_reason?: AutomationPausedReason
broken: boolean
broken_reason: ({
errors: BrokenReason[]
} | null)
version: number
timezone: string
/**
 * The automation that is called when a run fails; absent when unset
 */
on_failure_automation_id?: number
concurrency?: {
at_most: number
per_record: boolean
when_full: ("wait" | "skip" | "replace")
}
debounce_ms?: number
pause_after_failures?: number
/**
 * Absent when there are none
 */
tags?: string[]
owner_id: number
trigger: (Trigger | null)
filter: (FilterGroup | null)
actions: Action[]
created_at: string
updated_at: string
/**
 * Requests to its inbound address whose sender was not verified, since the last week without any; only where one automation is read, absent when there are none
 */
refused_senders?: {
count: number
first_at: string
last_at: string
}
}
/**
 * Why the service has paused it; absent where a person has
 */
export interface AutomationPausedReason {
code: "failures_in_a_row"
message: string
failures: number
/**
 * The run whose failure was the last
 */
run_id: string
paused_at: string
}
export interface BrokenReason {
code: ("trigger_variable_missing" | "trigger_app_missing" | "trigger_date_field_not_date" | "trigger_periodic_week_days_empty" | "trigger_periodic_month_days_empty" | "trigger_updated_fields_empty" | "trigger_missing" | "trigger_schedule_invalid" | "trigger_secret_missing" | "trigger_secret_not_allowed" | "filter_match_type_invalid" | "filter_variable_missing" | "filter_value_variable_missing" | "filter_value_value_missing" | "filter_user_missing" | "filter_app_missing" | "filter_record_missing" | "filter_option_missing" | "field_assignment_type_invalid" | "field_assignment_end_date_disabled" | "field_assignment_variable_missing" | "field_assignment_value_missing" | "field_assignment_value_variable_missing" | "field_assignment_value_variable_invalid" | "field_assignment_value_value_missing" | "field_assignment_user_missing" | "field_assignment_app_missing" | "field_assignment_record_missing" | "field_assignment_option_missing" | "checklist_property_value_variable_missing" | "checklist_property_value_value_missing" | "checklist_property_user_missing" | "action_invalid" | "action_variable_missing" | "action_variable_def_missing" | "action_value_missing" | "action_user_missing" | "action_app_missing" | "action_app_invalid" | "action_secret_missing" | "action_secret_not_allowed" | "action_provider_not_allowed" | "action_mail_account_not_allowed" | "action_view_missing" | "action_automation_missing" | "action_automation_invalid" | "action_call_argument_invalid" | "actions_empty" | "filter_never_matches" | "script_syntax_invalid" | "script_not_parsed" | "script_field_unknown" | "script_for_each_async" | "script_call_not_awaited" | "condition_may_be_left_out" | "literal_looks_like_reference" | "recipient_invalid" | "recipients_glued" | "url_parts_glued" | "loop_of_one" | "credits_high" | "field_hidden" | "step_unreachable" | "chain_may_cycle" | "schedule_over" | "schedule_days_either")
message: string
block_id: (string | null)
action_id: (string | null)
/**
 * Always `true`
 */
deactivated?: boolean
app_id?: number
field_id?: number
view_id?: number
automation_id?: number
user_id?: number
record_id?: number
option_id?: number
match_type?: string
assignment_type?: string
call_argument?: string
}
/**
 * A record is created in the app
 */
export interface RecordCreatedTrigger {
type: "record_created"
/**
 * `{}` unless given
 */
config?: {

}
}
/**
 * A record is updated, optionally only when certain fields change
 */
export interface RecordUpdatedTrigger {
type: "record_updated"
/**
 * `{}` unless given
 */
config?: {
/**
 * null: any field; a list: one of these; an empty list never fires. `null` unless given
 */
trigger_on_changes_field_ids?: (RecordUpdatedTriggerConfigTriggerOnChangesFieldIdsList | null)
}
}
/**
 * A record is moved to the trash or destroyed; its values stay readable
 */
export interface RecordDeletedTrigger {
type: "record_deleted"
/**
 * `{}` unless given
 */
config?: {

}
}
/**
 * A comment or reply is added to a record
 */
export interface RecordCommentOrReplyCreatedTrigger {
type: "record_comment_or_reply_created"
/**
 * `{}` unless given
 */
config?: {

}
}
/**
 * The value of a date field arrives, or is a given time away
 */
export interface DateFieldArrivedTrigger {
type: "date_field_arrived"
/**
 * `{}` unless given
 */
config?: {
date_field_id?: number
date_part?: ("start" | "end")
offset_direction?: ("at" | "before" | "after")
offset_amount?: number
offset_unit?: ("minute" | "hour" | "day" | "week" | "month")
/**
 * For values without a time, in the automation's zone
 */
time_of_day?: string
}
}
/**
 * Another automation, or the call endpoint, calls this one
 */
export interface AutomationCalledTrigger {
type: "automation_called"
/**
 * `{}` unless given
 */
config?: {
/**
 * Apps a triggering record may come from
 * 
 * @maxItems 2000
 */
triggering_app_ids?: number[]
triggering_app_ids_enabled?: boolean
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
custom_variable_defs_enabled?: boolean
}
}
export interface CustomVariableDef {
custom_type: ("any" | "single_file" | "multi_file" | "single_link" | "html_table_rows")
label: string
}
/**
 * Fires at an interval, daily, weekly, monthly or by a cron expression
 */
export interface PeriodicTrigger {
type: "periodic"
/**
 * `{}` unless given
 */
config?: {
schedule_type?: ("interval" | "daily" | "weekly" | "monthly" | "cron")
interval_amount?: number
interval_unit?: ("minute" | "hour" | "day")
time_of_day?: string
/**
 * @maxItems 100
 */
week_days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
/**
 * @maxItems 100
 */
month_days?: number[]
/**
 * Of a monthly schedule, such as its first Monday; beside `month_days`
 * 
 * @maxItems 100
 */
month_weekdays?: MonthWeekday[]
/**
 * Days such as holidays, on the clock of the schedule's zone: what would come due on them is left out
 * 
 * @maxItems 366
 */
skip_dates?: string[]
/**
 * Five fields: minute hour day month weekday, with `L`, `LW`, `W`, `#` and `?`; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`
 */
cron_expression?: string
/**
 * IANA zone; the automation's when left out
 */
timezone?: string
starts_at?: string
ends_at?: string
}
}
export interface MonthWeekday {
/**
 * Which one of the month; -1 is the last. A month without a fifth is left out
 */
nth: (1 | 2 | 3 | 4 | 5 | -1)
week_day: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")
}
/**
 * An inbound webhook is received
 */
export interface WebhookReceivedTrigger {
type: "webhook_received"
/**
 * `{}` unless given
 */
config?: {
response_mode?: ("immediate" | "sync")
response_status?: number
response_status_value?: TemplateValue
/**
 * @maxItems 30
 */
response_headers?: {
name: string
value: TemplateValue
}[]
response_content_type?: string
response_body?: TemplateValue
response_file?: Reference
response_redirect?: TemplateValue
response_timeout_seconds?: number
verification?: WebhookVerification
/**
 * Where the sender posts to; assigned by the service
 */
webhook_url?: string
}
}
export interface FieldReference {
kind: "variable"
source: "field"
field_id: number
field_type: FieldType
/**
 * The value before the triggering change
 */
previous?: boolean
/**
 * Per collected record
 */
collection?: boolean
/**
 * Of the record that initiated a call or weblink
 */
triggering?: boolean
property?: Property
}
export interface OptionConstant {
kind: "value"
value_type: "option"
field_id: number
option_id: number
}
export interface UserConstant {
kind: "value"
value_type: "user"
user_id: number
}
export interface RecordConstant {
kind: "value"
value_type: "record"
record_id: number
}
export interface PdfConstant {
kind: "value"
value_type: "pdf"
pdf: ("page_number" | "page_count")
}
export interface DateConstant {
kind: "value"
value_type: "date"
date: string
}
export interface TimeConstant {
kind: "value"
value_type: "time"
time: string
}
export interface WebhookVerification {
type: ("standard_webhooks" | "github" | "stripe" | "shopify" | "slack" | "meta" | "zoom" | "hmac" | "basic" | "bearer")
/**
 * Name of the secret that holds the signing key, password or token
 */
secret: string
/**
 * `meta`: name of the secret that holds the verify token
 */
token_secret?: string
/**
 * `basic`
 */
username?: string
/**
 * `hmac`: the header that holds the signature
 */
header?: string
/**
 * `hmac`; sha256 when left out
 */
algorithm?: ("sha1" | "sha256" | "sha384" | "sha512")
/**
 * `hmac`; hex when left out
 */
encoding?: ("hex" | "base64" | "base64url")
/**
 * `hmac`: what stands before the signature, such as `sha256=`
 */
prefix?: string
/**
 * How far a signed time may be from now; 300 when left out
 */
tolerance_seconds?: number
}
/**
 * A generated weblink is clicked
 */
export interface WeblinkClickedTrigger {
type: "weblink_clicked"
/**
 * `{}` unless given
 */
config?: {
/**
 * Apps a triggering record may come from
 * 
 * @maxItems 2000
 */
triggering_app_ids?: number[]
triggering_app_ids_enabled?: boolean
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
custom_variable_defs_enabled?: boolean
}
}
export interface FilterGroup {
/**
 * Opaque; minted when left out
 */
id?: string
operator: ("and" | "or")
/**
 * @maxItems 1000
 */
rows: FilterRow[]
}
export interface ScriptCondition {
/**
 * Opaque; minted when left out
 */
id?: string
code: CodeValue
}
export interface FilterCondition {
/**
 * Opaque; minted when left out
 */
id?: string
subject: Reference
operator: ("is" | "is_not" | "contains" | "does_not_contain" | "starts_with" | "ends_with" | "greater_than" | "greater_or_equal_than" | "less_than" | "less_or_equal_than" | "is_before" | "is_after" | "has_any_of" | "has_all_of" | "has_none_of" | "is_exactly" | "is_any_of" | "is_none_of" | "is_empty" | "is_not_empty" | "is_completed" | "is_incomplete")
value?: FilterValue
}
export interface TextFilterValue {
type: "text"
text: TemplateValue
}
export interface NumberFilterValue {
type: "number"
number: CodeValue
}
export interface IdsFilterValue {
type: "ids"
/**
 * @maxItems 2000
 */
ids: (number | Reference)[]
}
export interface DateFilterValue {
type: "date"
date: RelativeDate
}
export interface RelativeDate {
/**
 * `{"kind":"variable","source":"global","global_type":"current_date"}` unless given
 */
base?: Reference
operator?: ("plus" | "minus")
unit?: ("hour" | "day" | "week" | "month")
amount: CodeValue
}
export interface BooleanFilterValue {
type: "boolean"
boolean: boolean
}
export interface EntityTypeFilterValue {
type: "entity_type"
entity_type: ("comment" | "reply")
}
/**
 * Runs JavaScript; the returned value and assigned variables go to later steps
 */
export interface CustomCodeAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "custom_code"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
code?: CodeValueWithSecrets
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
}
}
/**
 * Tries again after a fault that may pass
 */
export interface Retry {
/**
 * In all, the first included
 */
attempts: number
/**
 * Pause before the second attempt
 */
first_ms: number
/**
 * Each pause is so many times the one before
 */
factor: number
/**
 * No pause is longer
 */
at_most_ms: number
/**
 * Of HTTP requests: the answers that are tried again instead of 408, 425, 429, 500, 502, 503 and 504
 * 
 * @maxItems 50
 */
on_status?: number[]
/**
 * Of HTTP requests: waits as long as the answer's `Retry-After` says, at most this
 */
retry_after_at_most_ms?: number
window?: RetryWindow
}
/**
 * Hours of the automation's zone in which later attempts begin; one outside waits
 */
export interface RetryWindow {
/**
 * `HH:mm`
 */
from: string
/**
 * Exclusive; not after `from`: the next day's
 */
to: string
/**
 * On which it opens; none: every day
 * 
 * @maxItems 7
 */
week_days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
}
export interface SecretReference {
kind: "variable"
source: "secret"
name: string
}
/**
 * Evaluates one expression and keeps its value in variables
 */
export interface CustomVariableAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "custom_variable"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
assignment_code: CodeValue
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
}
}
/**
 * Creates a record and offers it to later steps
 */
export interface RecordCreateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "record_create"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
app_id?: number
/**
 * Unique fields: the record that has one of the values is updated, and created only where none has
 * 
 * @maxItems 2000
 */
match_field_ids?: number[]
/**
 * @maxItems 1000
 */
field_assignments?: FieldAssignment[]
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
export interface SingleTextFieldAssignment {
field_type: "single_text"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
field_value?: TemplateValue
code?: CodeValue
}
export interface MultiTextFieldAssignment {
field_type: "multi_text"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
field_value?: TemplateValue
code?: CodeValue
}
export interface NumberFieldAssignment {
field_type: "number"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
field_value?: CodeValue
code?: CodeValue
}
export interface SingleCategoryFieldAssignment {
field_type: "single_category"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface MultiCategoryFieldAssignment {
field_type: "multi_category"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 2000
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface StatusFieldAssignment {
field_type: "status"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface SingleDateFieldAssignment {
field_type: "single_date"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * `{}` unless given
 */
field_value?: DateAssignment
code?: CodeValue
}
export interface DateAssignment {
/**
 * `[]` unless given
 */
start?: DateSource
end?: DateSource
}
export interface RangeDateFieldAssignment {
field_type: "range_date"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * `{}` unless given
 */
field_value?: DateAssignment
code?: CodeValue
}
export interface SingleRelationFieldAssignment {
field_type: "single_relation"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface MultiRelationFieldAssignment {
field_type: "multi_relation"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 2000
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface SingleUserFieldAssignment {
field_type: "single_user"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface MultiUserFieldAssignment {
field_type: "multi_user"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 2000
 */
field_value?: (number | Reference)[]
code?: CodeValue
}
export interface ChecklistFieldAssignment {
field_type: "checklist"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: {
title: TemplateValue
description?: TemplateValue
due_at?: DateSource
assignee?: (number | Reference)
completed?: boolean
}[]
code?: CodeValue
}
export interface MultiEmailFieldAssignment {
field_type: "multi_email"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: {
type?: ("work" | "home" | "other")
value: TemplateValue
}[]
code?: CodeValue
}
export interface MultiPhoneFieldAssignment {
field_type: "multi_phone"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: {
type?: ("work" | "work_fax" | "home" | "home_fax" | "main" | "mobile" | "pager" | "other")
value: TemplateValue
}[]
code?: CodeValue
}
export interface MultiLinkFieldAssignment {
field_type: "multi_link"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: TemplateValue[]
code?: CodeValue
}
export interface SingleLocationFieldAssignment {
field_type: "single_location"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
field_value?: TemplateValue
code?: CodeValue
}
export interface SingleAttachmentFieldAssignment {
field_type: "single_attachment"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: Reference[]
code?: CodeValue
}
export interface MultiAttachmentFieldAssignment {
field_type: "multi_attachment"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: Reference[]
code?: CodeValue
}
export interface MultiImageFieldAssignment {
field_type: "multi_image"
variable_def: FieldReference
assignment_type?: ("set" | "set_code")
/**
 * @maxItems 1000
 */
field_value?: Reference[]
code?: CodeValue
}
/**
 * Assigns fields of the current record
 */
export interface CurrentRecordUpdateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_update"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * @maxItems 1000
 */
field_assignments?: FieldAssignment[]
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Moves the current record to the trash
 */
export interface CurrentRecordDeleteAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_delete"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Takes the current record out of the trash
 */
export interface CurrentRecordRestoreAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_restore"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Makes the values before the current revision available as previous values
 */
export interface CurrentRecordGetPreviousRevisionAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_get_previous_revision"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {

}
}
/**
 * Adds a comment to the current record
 */
export interface CurrentRecordCommentCreateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_comment_create"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
comment_content?: TemplateValue
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Replies in the thread of the triggering comment or reply
 */
export interface CurrentRecordCommentOrReplyReplyCreateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_comment_or_reply_reply_create"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
reply_content?: TemplateValue
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Deletes the triggering comment or reply
 */
export interface CurrentRecordCommentOrReplyDeleteAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_comment_or_reply_delete"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Collects the records of an app that match a condition; a condition whose value is empty is left out, so that every record matches it
 */
export interface CollectAppRecordsAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collect_app_records"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
app_id?: number
/**
 * `null` unless given
 */
match_condition?: (FilterGroup | null)
limit?: number
/**
 * `limit` holds only when true
 */
limit_enabled?: boolean
}
}
/**
 * Collects the records of a view, in its order
 */
export interface CollectAppViewRecordsAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collect_app_view_records"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
app_id?: number
app_view_id?: number
limit?: number
/**
 * `limit` holds only when true
 */
limit_enabled?: boolean
}
}
/**
 * Collects the records that the current record is related to
 */
export interface CollectReferencedRecordsAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collect_referenced_records"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * @maxItems 1000
 */
ref_collection_defs?: RefCollectionDef[]
}
}
export interface RefCollectionDef {
id?: string
direction: ("outgoing" | "incoming" | "both")
match_type: ("all" | "filtered")
app_id?: number
/**
 * @maxItems 2000
 */
via_field_ids?: number[]
/**
 * `null` unless given
 */
match_condition?: (FilterGroup | null)
}
/**
 * Collects the records that the records of a collection are related to
 */
export interface CollectedRecordsCollectReferencedRecordsAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collected_records_collect_referenced_records"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
record_collection?: Reference
/**
 * @maxItems 1000
 */
ref_collection_defs?: RefCollectionDef[]
}
}
/**
 * Keeps the collected records that match a condition; a condition whose value is empty is left out
 */
export interface FilterRecordCollectionAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "filter_record_collection"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
record_collection?: Reference
/**
 * `null` unless given
 */
match_condition?: (FilterGroup | null)
}
}
/**
 * Sorts the collected records
 */
export interface SortRecordCollectionAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "sort_record_collection"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
record_collection?: Reference
/**
 * @maxItems 1000
 */
sorts?: {
id?: string
variable_def: Reference
direction: ("asc" | "desc")
}[]
}
}
/**
 * Empties a collection
 */
export interface ClearRecordCollectionAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "clear_record_collection"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
record_collection?: Reference
}
}
/**
 * Assigns fields of every collected record
 */
export interface CollectedRecordsUpdateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collected_records_update"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
record_collection?: Reference
/**
 * @maxItems 1000
 */
field_assignments?: FieldAssignment[]
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Assigns fields of the records related to the current record
 */
export interface ReferencedRecordsUpdateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "referenced_records_update"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
app_id?: number
/**
 * @maxItems 1000
 */
field_assignments?: FieldAssignment[]
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Adds a comment to every collected record
 */
export interface CollectedRecordsCommentCreateAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collected_records_comment_create"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
comment_content?: TemplateValue
record_collection?: Reference
/**
 * User id or reference; the automation itself when left out
 */
author_id?: (number | Reference)
/**
 * Whether the change sends webhooks
 */
trigger_webhooks?: boolean
/**
 * Whether the change fires automations
 */
trigger_other_flows?: boolean
/**
 * Suppresses notifications
 */
silent?: boolean
}
}
/**
 * Counts, sums or averages the values of a collection into a variable
 */
export interface RollupIterableValuesAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "rollup_iterable_values"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
rollup_type: ("count_all" | "count_empty" | "count_not_empty" | "percent_empty" | "percent_not_empty" | "sum" | "average" | "median" | "min" | "max")
rollup_variable_def?: Reference
/**
 * `{"custom_type":"any","label":"Rollup"}` unless given
 */
custom_variable_def?: CustomVariableDef
}
}
/**
 * Starts another automation for the current record
 */
export interface CurrentRecordCallAutomationAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_call_automation"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
automation_id?: number
/**
 * @maxItems 200
 */
call_arguments?: CallArgument[]
/**
 * Waits for the called run, takes its variables over and fails with it; of many, lists in the order of the records
 */
wait_for_result?: boolean
}
}
export interface CallArgument {
id?: string
variable_def: CustomVariableDef
assignment_type?: ("set" | "set_code")
value?: TemplateValue
code?: CodeValue
}
/**
 * Starts another automation for every collected record
 */
export interface CollectedRecordsCallAutomationAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collected_records_call_automation"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
automation_id?: number
/**
 * @maxItems 200
 */
call_arguments?: CallArgument[]
/**
 * Waits for the called run, takes its variables over and fails with it; of many, lists in the order of the records
 */
wait_for_result?: boolean
record_collection?: Reference
}
}
/**
 * Makes a link that starts another automation when it is clicked
 */
export interface CurrentRecordGenerateAutomationWeblinkAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "current_record_generate_automation_weblink"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
automation_id?: number
/**
 * @maxItems 200
 */
call_arguments?: CallArgument[]
/**
 * Waits for the called run, takes its variables over and fails with it; of many, lists in the order of the records
 */
wait_for_result?: boolean
/**
 * `{"custom_type":"single_link","label":"Weblink"}` unless given
 */
custom_variable_def?: CustomVariableDef
weblink_expiration?: ("never" | "on_click" | "one_day" | "one_week" | "one_month" | "one_year")
}
}
/**
 * Composes the page that whoever clicked the weblink sees
 */
export interface DisplayWebpageAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "display_webpage"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
join_type?: ("add_below" | "add_above" | "replace_previous")
fullscreen?: boolean
remove_branding?: boolean
webpage_body?: TemplateValue
}
}
/**
 * Sends whoever clicked the weblink to another address
 */
export interface RedirectUserAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "redirect_user"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
redirect_url?: TemplateValue
}
}
/**
 * Sends an email
 */
export interface SendEmailAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "send_email"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
to_address?: TemplateValue
cc_address?: TemplateValue
bcc_address?: TemplateValue
reply_address?: TemplateValue
from_address?: TemplateValue
from_name?: TemplateValue
subject?: TemplateValueWithSecrets
message_body?: TemplateValueWithSecrets
smtp_account_id?: number
/**
 * @maxItems 1000
 */
attach_files_variable_defs?: Reference[]
attach_files_match_type?: ("all" | "filtered" | "most_recent" | "most_recent_filtered")
/**
 * `null` unless given
 */
attach_files_match_condition?: (FilterGroup | null)
}
}
/**
 * Sends an email for every collected record
 */
export interface CollectedRecordsSendEmailAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "collected_records_send_email"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
to_address?: TemplateValue
cc_address?: TemplateValue
bcc_address?: TemplateValue
reply_address?: TemplateValue
from_address?: TemplateValue
from_name?: TemplateValue
subject?: TemplateValueWithSecrets
message_body?: TemplateValueWithSecrets
smtp_account_id?: number
/**
 * @maxItems 1000
 */
attach_files_variable_defs?: Reference[]
attach_files_match_type?: ("all" | "filtered" | "most_recent" | "most_recent_filtered")
/**
 * `null` unless given
 */
attach_files_match_condition?: (FilterGroup | null)
record_collection?: Reference
/**
 * Layout flag of the editor
 */
fields_expanded?: boolean
}
}
/**
 * Prints a document to a PDF file
 */
export interface CreatePdfAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "create_pdf"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
filename?: TemplateValue
/**
 * `{"custom_type":"single_file","label":"PDF"}` unless given
 */
custom_variable_def?: CustomVariableDef
page_size?: ("letter" | "tabloid" | "legal" | "a3" | "a4" | "a5" | "envelope_10" | "custom_size")
page_custom_width?: CodeValue
page_custom_height?: CodeValue
page_orientation?: ("portrait" | "landscape")
page_margins?: ("normal" | "narrow" | "moderate" | "wide" | "custom_margins")
page_custom_margin_top?: CodeValue
page_custom_margin_right?: CodeValue
page_custom_margin_bottom?: CodeValue
page_custom_margin_left?: CodeValue
pdf_header_custom_margin_top?: CodeValue
pdf_footer_custom_margin_bottom?: CodeValue
page_numbers_enabled?: boolean
header_and_footer_enabled?: boolean
page_number_style?: ("decimal" | "decimal_leading_zero" | "lower_latin" | "upper_latin" | "lower_roman" | "upper_roman")
page_number_start?: CodeValue
pdf_header?: TemplateValue
pdf_header_following_pages?: TemplateValue
pdf_footer?: TemplateValue
pdf_footer_following_pages?: TemplateValue
pdf_body?: TemplateValue
pdf_header_following_pages_enabled?: boolean
pdf_footer_following_pages_enabled?: boolean
/**
 * Layout flag of the editor
 */
options_expanded?: boolean
/**
 * Layout flag of the editor
 */
pdf_header_expanded?: boolean
/**
 * Layout flag of the editor
 */
pdf_footer_expanded?: boolean
/**
 * Layout flag of the editor
 */
pdf_body_expanded?: boolean
}
}
/**
 * Sends an HTTP request and keeps the answer in variables
 */
export interface HttpCallAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "http_call"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
http_call_type?: ("get" | "post" | "put" | "patch" | "delete")
http_call_url?: TemplateValueWithSecrets
/**
 * @maxItems 1000
 */
http_call_headers?: HttpHeader[]
/**
 * `file`: `http_call_body_file`; left out: `http_call_body` as text or JSON
 */
http_call_body_type?: ("form" | "multipart" | "file")
http_call_body?: TemplateValueWithSecrets
/**
 * References inside the strings of a JSON body stand as they are; left out they are escaped as JSON asks
 */
http_call_body_raw?: boolean
/**
 * Fields of a `form` or `multipart` body; `files`, of `multipart` alone, is sent instead of the value
 * 
 * @maxItems 200
 */
http_call_form?: HttpFormField[]
http_call_body_file?: Reference
http_call_client_certificate?: HttpClientCertificate
/**
 * Of each request; 30 when left out
 */
http_call_timeout_seconds?: number
/**
 * Keeps the answer in the file variable alone, up to 25 MB; `data` is null then
 */
http_call_response_as_file?: boolean
http_call_paging?: HttpPaging
http_call_follow_redirects?: boolean
http_call_authentication?: HttpAuthentication
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
}
}
export interface HttpHeader {
id?: string
key: string
value?: TemplateValueWithSecrets
}
export interface HttpFormField {
id?: string
key: string
value?: TemplateValueWithSecrets
files?: Reference
}
/**
 * For mutual TLS: certificate and chain, and private key without a passphrase, in PEM
 */
export interface HttpClientCertificate {
certificate?: SecretReference
private_key?: SecretReference
}
/**
 * Asks for the following pages too and joins their items in `data`. `next_path` (`next_url`, `cursor`) and `items_path` (left out: the body) are keys and 0-based indexes, -1 the last, from the answer's body down
 */
export interface HttpPaging {
/**
 * Next page: the `Link` header's `next`, an address in the answer, or a cursor in it
 */
type: ("link_header" | "next_url" | "cursor")
next_path?: AnswerPath
/**
 * `cursor`: name under which the next request sends it
 */
cursor_parameter?: string
/**
 * `cursor`: query when left out, or a member of a JSON body
 */
cursor_in?: ("query" | "body")
items_path?: AnswerPath
/**
 * 100 when left out
 */
pages_at_most?: number
}
/**
 * `secret` is the password or token. Overrides a header `Authorization`
 */
export interface HttpAuthentication {
type: ("basic" | "digest" | "bearer")
username?: TemplateValueWithSecrets
secret?: SecretReference
}
/**
 * Sends an HTTP request with the access token of an authentication provider
 */
export interface AuthenticatedHttpCallAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "authenticated_http_call"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
retry?: Retry
config: {
http_call_type?: ("get" | "post" | "put" | "patch" | "delete")
http_call_url?: TemplateValueWithSecrets
/**
 * @maxItems 1000
 */
http_call_headers?: HttpHeader[]
/**
 * `file`: `http_call_body_file`; left out: `http_call_body` as text or JSON
 */
http_call_body_type?: ("form" | "multipart" | "file")
http_call_body?: TemplateValueWithSecrets
/**
 * References inside the strings of a JSON body stand as they are; left out they are escaped as JSON asks
 */
http_call_body_raw?: boolean
/**
 * Fields of a `form` or `multipart` body; `files`, of `multipart` alone, is sent instead of the value
 * 
 * @maxItems 200
 */
http_call_form?: HttpFormField[]
http_call_body_file?: Reference
http_call_client_certificate?: HttpClientCertificate
/**
 * Of each request; 30 when left out
 */
http_call_timeout_seconds?: number
/**
 * Keeps the answer in the file variable alone, up to 25 MB; `data` is null then
 */
http_call_response_as_file?: boolean
http_call_paging?: HttpPaging
http_call_follow_redirects?: boolean
/**
 * @maxItems 200
 */
custom_variable_defs?: CustomVariableDef[]
authentication_provider_id?: number
}
}
/**
 * Waits for a time, or until a date
 */
export interface DelayAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "delay"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
delay_ms?: number
delay_until?: ({
type: "date"
date: RelativeDate
} | RelativeDate | TemplateValue)
}
}
/**
 * Ends the run, or answers a sync webhook's sender and goes on
 */
export interface ExitAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "exit"
/**
 * Derived from the type
 */
group?: "action"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
exit_type?: ("success" | "failure" | "respond")
}
}
/**
 * Runs steps for every item of a collection or list
 */
export interface ForLoopAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "for_loop"
/**
 * Derived from the type
 */
group?: "control_flow"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
iterable?: Reference
/**
 * @maxItems 1000
 */
action_rows?: Action[]
/**
 * `null` unless given
 */
break_condition?: (FilterGroup | null)
/**
 * `null` unless given
 */
continue_condition?: (FilterGroup | null)
}
}
/**
 * Runs one branch or the other
 */
export interface ConditionalAction {
/**
 * Opaque; minted when left out
 */
id?: string
type: "conditional"
/**
 * Derived from the type
 */
group?: "control_flow"
custom_name?: string
deactivate?: boolean
continue_on_error?: boolean
config: {
/**
 * `null` unless given
 */
condition?: (FilterGroup | null)
/**
 * @maxItems 1000
 */
action_rows?: Action[]
/**
 * @maxItems 1000
 */
else_action_rows?: Action[]
}
}
/**
 * Steps are known again by their ids; of what moved, `before` and `after` are its paths
 */
export interface AutomationRevisionChange {
/**
 * Where it is in the second revision; in the first if it is removed
 */
path: string
kind: ("added" | "removed" | "changed" | "moved")
action_id?: string
before?: unknown
after?: unknown
}
export interface AutomationRevision {
id: string
automation_id: number
version: number
created_at: string
/**
 * Who saved it, with whose rights its runs work
 */
author?: {
user_id: number
name: string
}
name: string
paused: boolean
broken: boolean
trigger: (Trigger | null)
filter: (FilterGroup | null)
actions: Action[]
}
export interface UpcomingInstants {
/**
 * By which it comes due
 */
timezone: string
/**
 * The next ten; fewer where it ends before
 */
instants: {
utc: string
/**
 * The same on a clock of the time zone
 */
local: string
}[]
/**
 * Why there are none
 */
never_due: (string | null)
}
export interface SchedulePreview {
config: {
schedule_type?: ("interval" | "daily" | "weekly" | "monthly" | "cron")
interval_amount?: number
interval_unit?: ("minute" | "hour" | "day")
time_of_day?: string
/**
 * @maxItems 100
 */
week_days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
/**
 * @maxItems 100
 */
month_days?: number[]
/**
 * Of a monthly schedule, such as its first Monday; beside `month_days`
 * 
 * @maxItems 100
 */
month_weekdays?: MonthWeekday[]
/**
 * Days such as holidays, on the clock of the schedule's zone: what would come due on them is left out
 * 
 * @maxItems 366
 */
skip_dates?: string[]
/**
 * Five fields: minute hour day month weekday, with `L`, `LW`, `W`, `#` and `?`; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`
 */
cron_expression?: string
/**
 * IANA zone; the automation's when left out
 */
timezone?: string
starts_at?: string
ends_at?: string
}
/**
 * IANA zone of the automation; `UTC` when left out
 */
timezone?: string
}
export interface AutomationImported {
applied: boolean
/**
 * The automation that the file means; null where it has made none yet
 */
automation_id: (number | null)
app_id: (number | null)
/**
 * Of a dry run: what the organization lacks, or the caller does not see, with its place in the file
 */
missing: string[]
/**
 * By place: `+` added, `-` removed, `~` changed
 */
changes: string[]
}
export interface AutomationImport {
file: PortableAutomation
/**
 * Into this app instead of the one that the file names
 */
app_id?: number
/**
 * Only tells what would be done, or is missing
 */
dry_run?: boolean
}
/**
 * `portable: 2`, a `key` that makes it one automation, `app`, and the members of a definition, with short templates in its texts (`{{ record.customer }}`; in form 1 `{{` is text)
 */
export interface PortableAutomation {
[k: string]: unknown
}
export interface AutomationDuplicate {
name?: string
app_id?: number
}
export interface AutomationUpdate {
name?: string
description?: (string | null)
trigger?: (Trigger | null)
filter?: (FilterGroup | null)
actions?: Actions
timezone?: string
on_failure_automation_id?: (number | null)
concurrency?: (Concurrency | null)
debounce_ms?: (number | null)
pause_after_failures?: (number | null)
tags?: (AutomationUpdateTagsList | null)
}
export interface Concurrency {
/**
 * Runs under way at once: begun and not over, those that wait in a delay among them
 */
at_most: number
/**
 * Counted for each record apart; those without a record count together
 */
per_record?: boolean
/**
 * wait: the next stands in line; skip: it ends as cancelled; replace: the oldest is cancelled, and the next begins once that is over
 */
when_full?: ("wait" | "skip" | "replace")
}
export interface AutomationTags {
tags: {
/**
 * As most of them spell it
 */
tag: string
/**
 * Number of automations that have it
 */
automations: number
}[]
}
export interface AutomationPage {
total: number
cursor: (string | null)
automations: Automation[]
}
export interface AutomationCreate {
name: string
description?: string
trigger?: Trigger
filter?: (FilterGroup | null)
actions?: Actions
timezone?: string
/**
 * An automation of the same app with the trigger `automation_called`, called when a run fails
 */
on_failure_automation_id?: number
concurrency?: (Concurrency | null)
debounce_ms?: (number | null)
pause_after_failures?: (number | null)
/**
 * Words by which it is found again; case does not count
 * 
 * @maxItems 20
 */
tags?: string[]
}
export interface HookStatistics {
since: string
until: string
step: StatisticsStep
total: {
executions: number
delivered: number
retrying: number
failed: number
withheld: number
latency_ms: Latencies
}
points: {
from: string
executions: number
delivered: number
retrying: number
failed: number
withheld: number
latency_ms: Latencies
}[]
backlog: {
waiting: number
oldest_waiting_on: (string | null)
}
}
export interface Latencies {
p50: (number | null)
p95: (number | null)
p99: (number | null)
}
export interface HookReplay {
replay_id: number
hook_id: number
/**
 * Its job, seen at `/v1/job/{job_id}` and cancelled there or here; null: begun by an earlier release
 */
job_id: (number | null)
state: ("running" | "done" | "cancelled" | "stopped")
since: string
until: (string | null)
status: DeliveryStatus[]
error: (HookReplayErrorList | null)
type: (HookReplayTypeList | null)
per_minute: (number | null)
replayed: number
counted: boolean
begun: number
waiting: number
created_on: string
ended_on: (string | null)
}
export interface DeliveryWithAttempts {
delivery_id: string
hook_id: number
type: HookType
status: DeliveryStatus
payload: {
[k: string]: unknown
}
created_on: string
num_attempts: number
next_attempt_on: (string | null)
attempts: {
attempted_on: string
status_code: (number | null)
latency_ms: number
error: (string | null)
response_body: (string | null)
next_attempt_on: (string | null)
}[]
}
export interface Delivery {
delivery_id: string
hook_id: number
type: HookType
status: DeliveryStatus
payload: {
[k: string]: unknown
}
created_on: string
num_attempts: number
next_attempt_on: (string | null)
}
export interface HookSecret {
secret: string
}
export interface HookSecretRotation {
/**
 * So long the former secrets sign as well, 86400 unless given; 0 retires them at once
 */
overlap_seconds?: number
}
export interface Hook {
hook_id: number
status: HookStatus
num_failed_executions: number
type: HookType
url: string
}
export interface HookVerificationCodeInvalidError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "hook_verification_code_invalid"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface VerificationAttempt {
attempted_on: string
status_code: (number | null)
latency_ms: number
error: (string | null)
response_body: (string | null)
}
export interface HookSample {
type: HookType
when: string
body: {
[k: string]: unknown
}
}
export interface HookTestAnswer {
status_code: (number | null)
latency_ms: number
error: (string | null)
response_body: (string | null)
}
export interface HookSettings {
description: string
paused: boolean
types: HookType[]
filter: (FilterGroup | null)
only_fields: number[]
headers: {
[k: string]: string | SecretSet
}
authentication: (HookAuthentication | null)
per_minute: (number | null)
at_once: (number | null)
retry_seconds: (HookSettingsRetrySecondsList | null)
timeout_millis: (number | null)
include_record: boolean
}
export interface SecretSet {
set: boolean
}
export interface BasicHookAuthentication {
type: "basic"
username: string
password: SecretSet
}
export interface BearerHookAuthentication {
type: "bearer"
token: SecretSet
}
export interface Oauth2HookAuthentication {
type: "oauth2"
authentication_provider_id: number
}
export interface CertificateHookAuthentication {
type: "certificate"
certificate: string
key: SecretSet
}
export interface HookSettingsUpdate {
description?: string
/**
 * Events wait, for seven days at most
 */
paused?: boolean
/**
 * The events that are sent, the hook's own type among them
 * 
 * @maxItems 11
 */
types?: HookType[]
/**
 * The filter tree of automations, over the record of the event; null sends all. It needs `records:read`, as long as it is there
 */
filter?: (FilterGroup | null)
/**
 * Of `record.update` only those that change one of these fields; empty for all
 * 
 * @maxItems 500
 */
only_fields?: number[]
/**
 * By name: a text, `{ secret: text }` for one that is never read, `{ set: true }` for the stored secret. None of the connection, of proxies, of a session, the body or the signature
 */
headers?: {
[k: string]: string | HookHeaderSecret | SecretSet
}
authentication?: (HookAuthenticationInput | null)
/**
 * Executions a minute, within the app's; null for no limit
 */
per_minute?: (number | null)
/**
 * Executions at the same time; null for no limit
 */
at_once?: (number | null)
/**
 * Pauses before each retry; empty for none, null for the installation's
 */
retry_seconds?: (HookSettingsUpdateRetrySecondsList | null)
/**
 * Time to answer; null for the installation's
 */
timeout_millis?: (number | null)
/**
 * Bodies of record events hold `record`, as it was at the event, as far as whoever saved the hook last may read it: person and credential, which needs `records:read`
 */
include_record?: boolean
}
export interface HookHeaderSecret {
secret: string
}
export interface BasicHookAuthenticationInput {
type: "basic"
username: string
/**
 * Written, never read; `{ set: true }` keeps the stored one, `{ set: false }` is none
 */
password: (string | SecretSet)
}
export interface BearerHookAuthenticationInput {
type: "bearer"
/**
 * Written, never read; `{ set: true }` keeps the stored one, `{ set: false }` is none
 */
token: (string | SecretSet)
}
export interface Oauth2HookAuthenticationInput {
type: "oauth2"
authentication_provider_id: number
}
export interface CertificateHookAuthenticationInput {
type: "certificate"
certificate: string
/**
 * Written, never read; `{ set: true }` keeps the stored one, `{ set: false }` is none
 */
key: (string | SecretSet)
}
export interface HookOfApp {
hook_id: number
app_id: number
status: HookStatus
num_failed_executions: number
type: HookType
url: string
}
export interface ImportInput {
/**
 * Temporary id from `POST /v1/file/upload`
 */
file_id?: string
/**
 * https address of the file, up to 25 MB
 */
url?: string
/**
 * Columns that are not named go to the field that is called like them, if there is one
 * 
 * @maxItems 1000
 */
columns?: ImportColumn[]
format?: ImportFormatInput
/**
 * Unique fields: a row with a value that a record has updates that record
 * 
 * @maxItems 500
 */
update_by?: number[]
/**
 * Adds options that a category field lacks; needs the right to change the app
 */
create_missing_options?: boolean
/**
 * What becomes of a row with a cell that its field does not take; leave_empty unless sent
 */
on_bad_cell?: ("leave_empty" | "skip_row")
}
export interface ImportColumn {
/**
 * Name in the first row, or its number from 1
 */
column: (string | number)
/**
 * null: the column is left out
 */
field_id: (number | null)
}
/**
 * What is not sent is detected
 */
export interface ImportFormatInput {
encoding?: CsvEncoding
separator?: ("," | ";" | "\t" | "|")
/**
 * Sign before the fraction of a number that could be read in two ways, such as 1,234
 */
decimal?: ("." | ",")
/**
 * 3/4/2026 is the 3rd of April
 */
day_first?: boolean
/**
 * IANA zone of times that name none; UTC unless sent
 */
time_zone?: string
/**
 * Language of the reader, by which an encoding is guessed that is not Unicode: pl
 */
language?: string
}
export interface ImportPreview {
/**
 * For the import; of a file by URL too
 */
file_id: string
format: ImportFormat
/**
 * Rows that were looked at, from the first on
 */
rows: number
/**
 * Rows of the file, exact if all were looked at
 */
rows_estimated: number
/**
 * Of the rows looked at, those that would not be imported
 */
rows_skipped: number
/**
 * Why the first of them would not be
 */
problems: ImportMisfit[]
columns: ImportPreviewColumn[]
}
export interface ImportFormat {
encoding: CsvEncoding
separator: ("," | ";" | "\t" | "|")
/**
 * Sign before the fraction of a number that could be read in two ways, such as 1,234
 */
decimal: ("." | ",")
/**
 * 3/4/2026 is the 3rd of April
 */
day_first: boolean
/**
 * IANA zone of times that name none; UTC unless sent
 */
time_zone: string
}
export interface ImportMisfit {
/**
 * Line of the file
 */
line: number
value: string
message: string
}
export interface ImportPreviewColumn {
column: string
/**
 * Its place in the file, from 1
 */
number: number
samples: string[]
/**
 * The field to which it goes, as sent or as guessed
 */
field_id: (number | null)
/**
 * Type of a field that would take all of its values
 */
guessed_type: string
fits: number
empty: number
misfits: number
/**
 * The first misfits
 */
problems: ImportMisfit[]
/**
 * Options that its field lacks
 */
missing_options: string[]
}
export interface RecordDeletedError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "record_deleted"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface RecordIds {
/**
 * @maxItems 2000
 */
record_ids: number[]
}
export interface UniqueConflictError {
status_code: 409
/**
 * Path of the request
 */
endpoint: string
error_code: "unique_conflict"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
field_id?: number
/**
 * The record that has the value, where the caller may see it
 */
record_id?: (number | null)
/**
 * Where a field is to become unique: values that several records have, at most 20
 */
duplicates?: {
value: string
record_ids: number[]
}[]
}
export interface UpsertResults {
results: UpsertResult[]
}
export interface UpsertResult {
record_id: number
revision_id: number
created: boolean
}
export interface RecordInput {
fields: FieldInputs
}
/**
 * By `external_id` of the field, or its `field_id` as text; each as the type of the field takes it. `null` empties a field, one that is left out stays
 */
export interface FieldInputs {
[k: string]: FieldValueInput | null
}
export interface DateInput {
start: string
}
export interface DateRangeInput {
start: string
end?: (string | null)
}
export interface ChecklistEntryInput {
/**
 * Of an entry that the record has already
 */
id?: number
/**
 * Needed for a new entry
 */
title?: string
description?: (string | null)
due_at?: (string | null)
assignee?: (number | null)
completed?: boolean
}
export interface EmailEntryInput {
/**
 * Of an entry that the record has already
 */
id?: number
type?: ("work" | "home" | "other")
email?: string
}
export interface PhoneEntryInput {
/**
 * Of an entry that the record has already
 */
id?: number
type?: ("work" | "work_fax" | "home" | "home_fax" | "main" | "mobile" | "pager" | "other")
phone?: string
}
export interface LinkEntryInput {
/**
 * Of an entry that the record has already
 */
embed_id?: number
url?: string
}
export interface LocationInput {
value?: (string | null)
original_formatted_address?: (string | null)
street_address?: (string | null)
city?: (string | null)
state?: (string | null)
postal_code?: (string | null)
country?: (string | null)
latitude?: (number | null)
longitude?: (number | null)
map_in_sync?: boolean
}
export interface WrittenRecords {
records: WrittenRecord[]
}
export interface AppRecord {
record_id: number
app_record_id: number
app_id: number
title: string
record_url: string
revision: number
created_on: string
last_modified_on: (string | null)
deleted_on: (string | null)
comment_count: number
created_by: Author
last_modified_by: (Author | null)
app: {
app_id: number
name: string
record_name: string
workspace_id: number
icon: (string | null)
}
fields: RecordField[]
/**
 * Of a single record: why calculations of it have no result; left out if all have one
 */
calculation_errors?: CalculationError[]
}
export interface User {
user_id: number
mail: string[]
image: (string | null)
name: string
org_id: number
type: "user"
}
export interface AutomationAuthor {
automation_id: number
name: string
type: "automation"
}
export interface SingleTextRecordField {
field_id: number
external_id: string
label: string
type: "text"
field_type: "single_text"
values: SingleTextEntry[]
}
export interface SingleTextEntry {
value: string
}
export interface MultiTextRecordField {
field_id: number
external_id: string
label: string
type: "text"
field_type: "multi_text"
values: MultiTextEntry[]
}
export interface MultiTextEntry {
value: string
}
export interface NumberRecordField {
field_id: number
external_id: string
label: string
type: "number"
field_type: "number"
values: NumberEntry[]
}
export interface NumberEntry {
value: number
}
export interface SingleCategoryRecordField {
field_id: number
external_id: string
label: string
type: "category"
field_type: "single_category"
values: SingleCategoryEntry[]
}
export interface SingleCategoryEntry {
value: Option
}
export interface Option {
id: number
text: string
/**
 * Hexadecimal
 */
color: string
}
export interface MultiCategoryRecordField {
field_id: number
external_id: string
label: string
type: "category"
field_type: "multi_category"
values: MultiCategoryEntry[]
}
export interface MultiCategoryEntry {
value: Option
}
export interface StatusRecordField {
field_id: number
external_id: string
label: string
type: "status"
field_type: "status"
values: StatusEntry[]
}
export interface StatusEntry {
value: StatusOption
}
export interface StatusOption {
id: number
text: string
/**
 * Hexadecimal
 */
color: string
means_completed: boolean
}
export interface SingleDateRecordField {
field_id: number
external_id: string
label: string
type: "date"
field_type: "single_date"
values: SingleDateEntry[]
}
export interface SingleDateEntry {
start: string
start_date: string
start_time: (string | null)
start_utc: string
start_date_utc: string
start_time_utc: (string | null)
}
export interface RangeDateRecordField {
field_id: number
external_id: string
label: string
type: "date"
field_type: "range_date"
values: RangeDateEntry[]
}
export interface RangeDateEntry {
start: string
start_date: string
start_time: (string | null)
start_utc: string
start_date_utc: string
start_time_utc: (string | null)
end: (string | null)
end_date: (string | null)
end_time: (string | null)
end_utc: (string | null)
end_date_utc: (string | null)
end_time_utc: (string | null)
}
export interface SingleRelationRecordField {
field_id: number
external_id: string
label: string
type: "relation"
field_type: "single_relation"
values: SingleRelationEntry[]
}
export interface SingleRelationEntry {
value: RecordReference
}
export interface RecordReference {
record_id: number
app_id: number
title: string
}
export interface MultiRelationRecordField {
field_id: number
external_id: string
label: string
type: "relation"
field_type: "multi_relation"
values: MultiRelationEntry[]
}
export interface MultiRelationEntry {
value: RecordReference
}
export interface SingleUserRecordField {
field_id: number
external_id: string
label: string
type: "user"
field_type: "single_user"
values: SingleUserEntry[]
}
export interface SingleUserEntry {
value: User
}
export interface MultiUserRecordField {
field_id: number
external_id: string
label: string
type: "user"
field_type: "multi_user"
values: MultiUserEntry[]
}
export interface MultiUserEntry {
value: User
}
export interface ChecklistRecordField {
field_id: number
external_id: string
label: string
type: "checklist"
field_type: "checklist"
values: ChecklistEntry[]
}
export interface ChecklistEntry {
id: number
title: string
description: (string | null)
due_at: (string | null)
completed: boolean
completed_at: (string | null)
assignee: (User | null)
}
export interface MultiEmailRecordField {
field_id: number
external_id: string
label: string
type: "email"
field_type: "multi_email"
values: MultiEmailEntry[]
}
export interface MultiEmailEntry {
id: number
value: string
type: ("work" | "home" | "other")
}
export interface MultiPhoneRecordField {
field_id: number
external_id: string
label: string
type: "phone"
field_type: "multi_phone"
values: MultiPhoneEntry[]
}
export interface MultiPhoneEntry {
id: number
value: string
type: ("work" | "work_fax" | "home" | "home_fax" | "main" | "mobile" | "pager" | "other")
}
export interface MultiLinkRecordField {
field_id: number
external_id: string
label: string
type: "link"
field_type: "multi_link"
values: MultiLinkEntry[]
}
export interface MultiLinkEntry {
embed_id: number
url: string
title?: string
description?: string
type: "link"
}
export interface SingleLocationRecordField {
field_id: number
external_id: string
label: string
type: "location"
field_type: "single_location"
values: SingleLocationEntry[]
}
export interface SingleLocationEntry {
value: string
original_formatted_address: (string | null)
street_address: (string | null)
city: (string | null)
state: (string | null)
postal_code: (string | null)
country: (string | null)
latitude?: number
longitude?: number
map_in_sync: boolean
}
export interface SingleAttachmentRecordField {
field_id: number
external_id: string
label: string
type: "attachment"
field_type: "single_attachment"
values: SingleAttachmentEntry[]
}
export interface SingleAttachmentEntry {
value: AttachedFile
}
export interface AttachedFile {
id: number
filename: string
size: number
mimetype: string
download_url: string
}
export interface MultiAttachmentRecordField {
field_id: number
external_id: string
label: string
type: "attachment"
field_type: "multi_attachment"
values: MultiAttachmentEntry[]
}
export interface MultiAttachmentEntry {
value: AttachedFile
}
export interface MultiImageRecordField {
field_id: number
external_id: string
label: string
type: "image"
field_type: "multi_image"
values: MultiImageEntry[]
}
export interface MultiImageEntry {
value: AttachedFile
}
export interface CalculationRecordField {
field_id: number
external_id: string
label: string
type: "calculation"
field_type: "calculation"
values: CalculationEntry[]
}
export interface DateEntry {
start: string
start_date: string
start_time: (string | null)
start_utc: string
start_date_utc: string
start_time_utc: (string | null)
}
export interface CreatedAtRecordField {
field_id: number
external_id: string
label: string
type: "created_at"
field_type: "created_at"
values: CreatedAtEntry[]
}
export interface CreatedAtEntry {
start: string
start_date: string
start_time: (string | null)
start_utc: string
start_date_utc: string
start_time_utc: (string | null)
}
export interface LastModifiedAtRecordField {
field_id: number
external_id: string
label: string
type: "last_modified_at"
field_type: "last_modified_at"
values: LastModifiedAtEntry[]
}
export interface LastModifiedAtEntry {
start: string
start_date: string
start_time: (string | null)
start_utc: string
start_date_utc: string
start_time_utc: (string | null)
}
export interface CreatedByRecordField {
field_id: number
external_id: string
label: string
type: "created_by"
field_type: "created_by"
values: CreatedByEntry[]
}
export interface CreatedByEntry {
value: Author
}
export interface LastModifiedByRecordField {
field_id: number
external_id: string
label: string
type: "last_modified_by"
field_type: "last_modified_by"
values: LastModifiedByEntry[]
}
export interface LastModifiedByEntry {
value: Author
}
export interface CalculationError {
field_id: number
external_id: string
message: string
}
export interface RecordStub {
record_id: number
app_record_id: number
created_on: string
}
export interface MatchedRecords {
text: string
/**
 * At most three, newest first
 */
records: RecordPreview[]
}
export interface RecordPreview {
record_id: number
app_record_id: number
app_id: number
title: string
record_url: string
app: {
app_id: number
name: string
record_name: string
workspace_id: number
}
}
export interface MatchInput {
/**
 * @maxItems 100
 */
texts: string[]
}
export interface RecordPage {
/**
 * How many there are in all pages; null where `total` is `none`
 */
total: (number | null)
cursor: (string | null)
records: AppRecord[]
}
export interface RelatedInput {
/**
 * @maxItems 2000
 */
recordIds: number[]
direction: ("forward" | "reverse" | "both")
/**
 * @maxItems 2000
 */
relationFieldIds?: number[]
}
export interface RecordGroupPage {
/**
 * How many groups there are in all pages
 */
total: number
cursor: (string | null)
groups: RecordGroup[]
}
export interface RecordGroup {
/**
 * The value as people read it; empty for the group without one
 */
text: string
/**
 * The field's values in a record of the group, as records show them; of dates the group's first day
 */
values: unknown[]
count: number
filter: RecordFilter
}
/**
 * Lists of filters are ANDs; what fits a field depends on its type
 */
export interface RecordFilter {
field_id?: number
type: ("text" | "number" | "category" | "status" | "date" | "relation" | "app" | "user" | "contact" | "checklist" | "email" | "phone" | "link" | "embed" | "location" | "attachment" | "file" | "image" | "calculation" | "boolean" | "created_at" | "last_modified_at" | "created_by" | "last_modified_by" | "app_record_id")
match_type: ("empty" | "not_empty" | "equal" | "not_equal" | "contains" | "not_contains" | "starts_with" | "ends_with" | "smaller" | "smaller_or_equal" | "larger" | "larger_or_equal" | "any" | "none" | "completed" | "incomplete" | "before" | "after" | "on_or_before" | "on_or_after" | "within" | "on_weekday" | "in_quarter_of_year" | "in_month_of_year" | "fully_includes")
values?: {
value: RecordFilterOperand
}[]
field_type?: ("single_text" | "multi_text" | "number" | "single_category" | "multi_category" | "status" | "single_date" | "range_date" | "single_relation" | "multi_relation" | "single_user" | "multi_user" | "checklist" | "multi_email" | "multi_phone" | "multi_link" | "single_location" | "single_attachment" | "multi_attachment" | "multi_image" | "unique_id" | "calculation" | "created_at" | "last_modified_at" | "created_by" | "last_modified_by")
entry_property?: ("title" | "assignee" | "status" | "due_date")
include_active_user?: boolean
relative_date_type?: ("exact_date" | "today" | "tomorrow" | "yesterday" | "num_days_before" | "num_days_after" | "num_weeks_before" | "num_weeks_after" | "num_months_before" | "num_months_after")
relative_date_range_type?: ("current_week" | "current_month" | "current_year" | "past_week" | "past_month" | "past_year" | "next_week" | "next_month" | "next_year" | "next_num_days" | "past_num_days" | "exact_range")
end_date?: string
weekday?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")
quarter_of_year?: ("q1" | "q2" | "q3" | "q4")
month_of_year?: ("january" | "february" | "march" | "april" | "may" | "june" | "july" | "august" | "september" | "october" | "november" | "december")
/**
 * An IANA zone for the days of this filter: in place of the request's for relative dates, of UTC for others
 */
timezone?: string
}
export interface ViewAnswer {
view: View
}
export interface View {
id: number
view_id: number
name: string
app_id: number
is_default: boolean
layout: ViewLayout
private: boolean
sort_by: (number | null)
sort_desc: boolean
/**
 * @maxItems 200
 */
filters: RecordFilter[]
columns: ViewColumns
frozen: number
group_by: (number | null)
board_field_id: (number | null)
calendar_field_ids: ViewCalendarFields
cover_field_id: (number | null)
created_by: (number | null)
fields: unknown
split_by: unknown
show_progress: unknown
table: unknown
board: unknown
}
export interface ViewColumn {
field_id: number
/**
 * In pixels
 */
width?: number
/**
 * Left out of the table; who may read the field still may
 */
hidden?: boolean
}
export interface ViewUpdate {
name?: (string | null)
layout?: ViewLayout
sort_by?: (number | null)
sort_desc?: (boolean | null)
filters?: (ViewUpdateFiltersList | null)
columns?: (ViewColumns | null)
frozen?: (number | null)
group_by?: (number | null)
board_field_id?: (number | null)
calendar_field_ids?: (ViewCalendarFields | null)
cover_field_id?: (number | null)
private?: (boolean | null)
fields?: unknown
split_by?: unknown
show_progress?: unknown
table?: unknown
board?: unknown
id?: unknown
view_id?: unknown
app_id?: unknown
is_default?: unknown
created_by?: unknown
}
export interface ViewCreate {
name: string
layout: ViewLayout
sort_by?: (number | null)
sort_desc?: (boolean | null)
filters?: (ViewCreateFiltersList | null)
columns?: (ViewColumns | null)
frozen?: (number | null)
group_by?: (number | null)
board_field_id?: (number | null)
calendar_field_ids?: (ViewCalendarFields | null)
cover_field_id?: (number | null)
private?: (boolean | null)
fields?: unknown
split_by?: unknown
show_progress?: unknown
table?: unknown
board?: unknown
}
export interface ListedView {
id: number
view_id: number
name: string
app_id: number
is_default: boolean
layout: ViewLayout
private: boolean
}
export interface StoredFile {
file_id: number
name: string
size: number
mimetype: string
created_on: string
link: string
}
export interface TemporaryFile {
file_id: string
name: string
size: number
mimetype: string
created_on: string
link: string
}
export interface Reply {
reply_id: number
value: string
created_on: string
edited_on?: string
files: StoredFile[]
created_by: Author
user: Author
ref: {
type: "comment"
id: number
}
}
export interface CommentInput {
/**
 * Text, at most 50000 characters; mentions as @[Name](user:<user_id>)
 */
value: string
/**
 * @maxItems 2000
 */
file_ids?: string[]
}
export interface Comment {
comment_id: number
value: string
created_on: string
edited_on?: string
files: StoredFile[]
created_by: Author
user: Author
ref: {
type: "record"
id: number
}
reply_count: number
}
export interface RevisionDelta {
record_id: number
from_revision_id: number
to_revision_id: number
revision_deltas: FieldChange[]
}
export interface SingleTextFieldChange {
field_id: number
external_id: string
label: string
type: "text"
field_type: "single_text"
config: FieldChangeConfig
from: SingleTextEntry[]
to: SingleTextEntry[]
}
export interface FieldChangeConfig {
label: string
required: boolean
description: (string | null)
}
export interface MultiTextFieldChange {
field_id: number
external_id: string
label: string
type: "text"
field_type: "multi_text"
config: FieldChangeConfig
from: MultiTextEntry[]
to: MultiTextEntry[]
}
export interface NumberFieldChange {
field_id: number
external_id: string
label: string
type: "number"
field_type: "number"
config: FieldChangeConfig
from: NumberEntry[]
to: NumberEntry[]
}
export interface SingleCategoryFieldChange {
field_id: number
external_id: string
label: string
type: "category"
field_type: "single_category"
config: FieldChangeConfig
from: SingleCategoryEntry[]
to: SingleCategoryEntry[]
}
export interface MultiCategoryFieldChange {
field_id: number
external_id: string
label: string
type: "category"
field_type: "multi_category"
config: FieldChangeConfig
from: MultiCategoryEntry[]
to: MultiCategoryEntry[]
}
export interface StatusFieldChange {
field_id: number
external_id: string
label: string
type: "status"
field_type: "status"
config: FieldChangeConfig
from: StatusEntry[]
to: StatusEntry[]
}
export interface SingleDateFieldChange {
field_id: number
external_id: string
label: string
type: "date"
field_type: "single_date"
config: FieldChangeConfig
from: SingleDateEntry[]
to: SingleDateEntry[]
}
export interface RangeDateFieldChange {
field_id: number
external_id: string
label: string
type: "date"
field_type: "range_date"
config: FieldChangeConfig
from: RangeDateEntry[]
to: RangeDateEntry[]
}
export interface SingleRelationFieldChange {
field_id: number
external_id: string
label: string
type: "relation"
field_type: "single_relation"
config: FieldChangeConfig
from: SingleRelationEntry[]
to: SingleRelationEntry[]
}
export interface MultiRelationFieldChange {
field_id: number
external_id: string
label: string
type: "relation"
field_type: "multi_relation"
config: FieldChangeConfig
from: MultiRelationEntry[]
to: MultiRelationEntry[]
}
export interface SingleUserFieldChange {
field_id: number
external_id: string
label: string
type: "user"
field_type: "single_user"
config: FieldChangeConfig
from: SingleUserEntry[]
to: SingleUserEntry[]
}
export interface MultiUserFieldChange {
field_id: number
external_id: string
label: string
type: "user"
field_type: "multi_user"
config: FieldChangeConfig
from: MultiUserEntry[]
to: MultiUserEntry[]
}
export interface ChecklistFieldChange {
field_id: number
external_id: string
label: string
type: "checklist"
field_type: "checklist"
config: FieldChangeConfig
from: ChecklistEntry[]
to: ChecklistEntry[]
}
export interface MultiEmailFieldChange {
field_id: number
external_id: string
label: string
type: "email"
field_type: "multi_email"
config: FieldChangeConfig
from: MultiEmailEntry[]
to: MultiEmailEntry[]
}
export interface MultiPhoneFieldChange {
field_id: number
external_id: string
label: string
type: "phone"
field_type: "multi_phone"
config: FieldChangeConfig
from: MultiPhoneEntry[]
to: MultiPhoneEntry[]
}
export interface MultiLinkFieldChange {
field_id: number
external_id: string
label: string
type: "link"
field_type: "multi_link"
config: FieldChangeConfig
from: MultiLinkEntry[]
to: MultiLinkEntry[]
}
export interface SingleLocationFieldChange {
field_id: number
external_id: string
label: string
type: "location"
field_type: "single_location"
config: FieldChangeConfig
from: SingleLocationEntry[]
to: SingleLocationEntry[]
}
export interface SingleAttachmentFieldChange {
field_id: number
external_id: string
label: string
type: "attachment"
field_type: "single_attachment"
config: FieldChangeConfig
from: SingleAttachmentEntry[]
to: SingleAttachmentEntry[]
}
export interface MultiAttachmentFieldChange {
field_id: number
external_id: string
label: string
type: "attachment"
field_type: "multi_attachment"
config: FieldChangeConfig
from: MultiAttachmentEntry[]
to: MultiAttachmentEntry[]
}
export interface MultiImageFieldChange {
field_id: number
external_id: string
label: string
type: "image"
field_type: "multi_image"
config: FieldChangeConfig
from: MultiImageEntry[]
to: MultiImageEntry[]
}
export interface CalculationFieldChange {
field_id: number
external_id: string
label: string
type: "calculation"
field_type: "calculation"
config: FieldChangeConfig
from: CalculationEntry[]
to: CalculationEntry[]
}
export interface CreatedAtFieldChange {
field_id: number
external_id: string
label: string
type: "created_at"
field_type: "created_at"
config: FieldChangeConfig
from: CreatedAtEntry[]
to: CreatedAtEntry[]
}
export interface LastModifiedAtFieldChange {
field_id: number
external_id: string
label: string
type: "last_modified_at"
field_type: "last_modified_at"
config: FieldChangeConfig
from: LastModifiedAtEntry[]
to: LastModifiedAtEntry[]
}
export interface CreatedByFieldChange {
field_id: number
external_id: string
label: string
type: "created_by"
field_type: "created_by"
config: FieldChangeConfig
from: CreatedByEntry[]
to: CreatedByEntry[]
}
export interface LastModifiedByFieldChange {
field_id: number
external_id: string
label: string
type: "last_modified_by"
field_type: "last_modified_by"
config: FieldChangeConfig
from: LastModifiedByEntry[]
to: LastModifiedByEntry[]
}
export interface Revision {
revision: number
type: string
created_on: string
created_by: Author
}
export interface App {
app_id: number
workspace_id: number
slug: string
external_id: string
name: string
record_name: string
item_name: string
type: "database"
description: (string | null)
position: number
config: AppConfig
fields: Field[]
}
export interface AppConfig {
name: string
item_name: string
description: (string | null)
icon?: Icon
item_icon?: Icon
}
export interface GraphicIcon {
type: "graphic"
id: string
}
export interface EmojiIcon {
type: "emoji"
emoji: string
}
export interface SingleTextField {
field_id: number
slug: string
external_id: string
label: string
type: "text"
field_type: "single_text"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleTextSettings
}
}
export interface SingleTextSettings {
[k: string]: unknown
}
export interface MultiTextField {
field_id: number
slug: string
external_id: string
label: string
type: "text"
field_type: "multi_text"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiTextSettings
}
}
export interface MultiTextSettings {
[k: string]: unknown
}
export interface NumberField {
field_id: number
slug: string
external_id: string
label: string
type: "number"
field_type: "number"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: NumberSettings
}
}
export interface NumberSettings {
decimals: number
unit: (string | null)
unit_location: UnitLocation
}
export interface SingleCategoryField {
field_id: number
slug: string
external_id: string
label: string
type: "category"
field_type: "single_category"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleCategorySettings
}
}
export interface SingleCategorySettings {
options: CategoryOption[]
}
export interface CategoryOption {
id: number
text: string
color: OptionColor
}
export interface MultiCategoryField {
field_id: number
slug: string
external_id: string
label: string
type: "category"
field_type: "multi_category"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiCategorySettings
}
}
export interface MultiCategorySettings {
options: CategoryOption[]
}
export interface StatusField {
field_id: number
slug: string
external_id: string
label: string
type: "status"
field_type: "status"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: StatusSettings
}
}
export interface StatusSettings {
options: {
id: number
text: string
color: OptionColor
means_completed: boolean
}[]
}
export interface SingleDateField {
field_id: number
slug: string
external_id: string
label: string
type: "date"
field_type: "single_date"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleDateSettings
}
}
export interface SingleDateSettings {
time: TimeSetting
calendar: boolean
is_due_date_of_status_field: boolean
}
export interface RangeDateField {
field_id: number
slug: string
external_id: string
label: string
type: "date"
field_type: "range_date"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: RangeDateSettings
}
}
export interface RangeDateSettings {
time: TimeSetting
calendar: boolean
is_due_date_of_status_field: boolean
end: ("enabled" | "required")
}
export interface SingleRelationField {
field_id: number
slug: string
external_id: string
label: string
type: "relation"
field_type: "single_relation"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleRelationSettings
}
}
export interface SingleRelationSettings {
referenced_apps: ReferencedApp[]
}
export interface ReferencedApp {
app_id: number
view_id?: (number | null)
}
export interface MultiRelationField {
field_id: number
slug: string
external_id: string
label: string
type: "relation"
field_type: "multi_relation"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiRelationSettings
}
}
export interface MultiRelationSettings {
referenced_apps: ReferencedApp[]
}
export interface SingleUserField {
field_id: number
slug: string
external_id: string
label: string
type: "user"
field_type: "single_user"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleUserSettings
}
}
export interface SingleUserSettings {
[k: string]: unknown
}
export interface MultiUserField {
field_id: number
slug: string
external_id: string
label: string
type: "user"
field_type: "multi_user"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiUserSettings
}
}
export interface MultiUserSettings {
[k: string]: unknown
}
export interface ChecklistField {
field_id: number
slug: string
external_id: string
label: string
type: "checklist"
field_type: "checklist"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: ChecklistSettings
}
}
export interface ChecklistSettings {
show_in_focus: boolean
}
export interface MultiEmailField {
field_id: number
slug: string
external_id: string
label: string
type: "email"
field_type: "multi_email"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiEmailSettings
}
}
export interface MultiEmailSettings {
only_allow_single_entry: boolean
}
export interface MultiPhoneField {
field_id: number
slug: string
external_id: string
label: string
type: "phone"
field_type: "multi_phone"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiPhoneSettings
}
}
export interface MultiPhoneSettings {
only_allow_single_entry: boolean
call_link_scheme: ("tel" | "callto")
}
export interface MultiLinkField {
field_id: number
slug: string
external_id: string
label: string
type: "link"
field_type: "multi_link"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiLinkSettings
}
}
export interface MultiLinkSettings {
[k: string]: unknown
}
export interface SingleLocationField {
field_id: number
slug: string
external_id: string
label: string
type: "location"
field_type: "single_location"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleLocationSettings
}
}
export interface SingleLocationSettings {
has_map: boolean
}
export interface SingleAttachmentField {
field_id: number
slug: string
external_id: string
label: string
type: "attachment"
field_type: "single_attachment"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: SingleAttachmentSettings
}
}
export interface SingleAttachmentSettings {
[k: string]: unknown
}
export interface MultiAttachmentField {
field_id: number
slug: string
external_id: string
label: string
type: "attachment"
field_type: "multi_attachment"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiAttachmentSettings
}
}
export interface MultiAttachmentSettings {
[k: string]: unknown
}
export interface MultiImageField {
field_id: number
slug: string
external_id: string
label: string
type: "image"
field_type: "multi_image"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: MultiImageSettings
}
}
export interface MultiImageSettings {
[k: string]: unknown
}
export interface UniqueIdField {
field_id: number
slug: string
external_id: string
label: string
type: "number"
field_type: "unique_id"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: UniqueIdSettings
}
}
export interface UniqueIdSettings {
min_digits: number
prefix: (string | null)
}
export interface CalculationField {
field_id: number
slug: string
external_id: string
label: string
type: "calculation"
field_type: "calculation"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: CalculationSettings
}
}
export interface CalculationSettings {
/**
 * Over other fields of the record and of related records, by their `external_id`
 */
expression: string
result: CalculationResult
decimals: (number | null)
unit: (string | null)
unit_location: UnitLocation
}
export interface CreatedAtField {
field_id: number
slug: string
external_id: string
label: string
type: "created_at"
field_type: "created_at"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: CreatedAtSettings
}
}
export interface CreatedAtSettings {
[k: string]: unknown
}
export interface LastModifiedAtField {
field_id: number
slug: string
external_id: string
label: string
type: "last_modified_at"
field_type: "last_modified_at"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: LastModifiedAtSettings
}
}
export interface LastModifiedAtSettings {
[k: string]: unknown
}
export interface CreatedByField {
field_id: number
slug: string
external_id: string
label: string
type: "created_by"
field_type: "created_by"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: CreatedBySettings
}
}
export interface CreatedBySettings {
[k: string]: unknown
}
export interface LastModifiedByField {
field_id: number
slug: string
external_id: string
label: string
type: "last_modified_by"
field_type: "last_modified_by"
config: {
label: string
slug: string
external_id: string
description: (string | null)
required: boolean
unique: boolean
always_hidden: boolean
hidden_if_empty: boolean
position: number
/**
 * Of a calculation, as in its settings
 */
expression?: string
result?: string
decimals?: (number | null)
settings: LastModifiedBySettings
}
}
export interface LastModifiedBySettings {
[k: string]: unknown
}
export interface FieldConversion {
/**
 * The job that converts, or that tries a dry run of many records; null: the outcome is here
 */
job_id: (number | null)
outcome: (ConversionOutcome | null)
/**
 * What uses the field; null without the scope `apps:read`
 */
used_by: (FieldUsage | null)
}
export interface ConversionOutcome {
/**
 * Records of the app, those in the trash included
 */
records: number
/**
 * Values that convert
 */
converted: number
/**
 * Values that do not: they stay in the revision before, and the field is empty
 */
unconvertible: number
/**
 * Records without a value
 */
empty: number
/**
 * The first 100 that do not convert
 */
failures: ConversionFailure[]
/**
 * Some that convert
 */
samples: ConversionSample[]
/**
 * Options that would be added
 */
new_options: string[]
}
export interface ConversionFailure {
record_id: number
value: string
reason: string
}
export interface ConversionSample {
record_id: number
before: string
after: string
}
export interface FieldConvert {
field_type: string
config?: FieldConvertConfig
/**
 * Tell what would become of the values
 */
dry_run?: boolean
}
/**
 * What is left out stays as it is
 */
export interface FieldConvertConfig {
label?: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: {
[k: string]: unknown
}
}
export interface FieldOrder {
/**
 * @maxItems 500
 */
fields: FieldRef[]
}
export interface FieldRef {
field_id: number
}
export interface AppUpdate {
name?: string
item_name?: string
description?: (string | null)
icon?: (Icon | null)
item_icon?: (Icon | null)
/**
 * @maxItems 500
 */
fields?: FieldInput[]
/**
 * @maxItems 500
 */
fields_to_delete?: FieldRef[]
}
export interface SingleTextFieldInput {
field_id?: number
field_type: "single_text"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleTextSettingsInput
}
}
export interface SingleTextSettingsInput {
[k: string]: unknown
}
export interface MultiTextFieldInput {
field_id?: number
field_type: "multi_text"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiTextSettingsInput
}
}
export interface MultiTextSettingsInput {
[k: string]: unknown
}
export interface NumberFieldInput {
field_id?: number
field_type: "number"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: NumberSettingsInput
}
}
export interface NumberSettingsInput {
decimals?: number
unit?: (string | null)
unit_location?: UnitLocation
}
export interface SingleCategoryFieldInput {
field_id?: number
field_type: "single_category"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleCategorySettingsInput
}
}
export interface SingleCategorySettingsInput {
/**
 * @maxItems 500
 */
options?: CategoryOptionInput[]
options_to_delete?: OptionRef[]
}
export interface CategoryOptionInput {
id?: number
/**
 * Needed for a new option
 */
text?: string
color?: OptionColor
}
export interface OptionRef {
id: number
}
export interface MultiCategoryFieldInput {
field_id?: number
field_type: "multi_category"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiCategorySettingsInput
}
}
export interface MultiCategorySettingsInput {
/**
 * @maxItems 500
 */
options?: CategoryOptionInput[]
options_to_delete?: OptionRef[]
}
export interface StatusFieldInput {
field_id?: number
field_type: "status"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: StatusSettingsInput
}
}
export interface StatusSettingsInput {
/**
 * @maxItems 500
 */
options?: {
id?: number
/**
 * Needed for a new option
 */
text?: string
color?: OptionColor
means_completed?: boolean
}[]
options_to_delete?: OptionRef[]
}
export interface SingleDateFieldInput {
field_id?: number
field_type: "single_date"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleDateSettingsInput
}
}
export interface SingleDateSettingsInput {
time?: TimeSetting
calendar?: boolean
is_due_date_of_status_field?: boolean
}
export interface RangeDateFieldInput {
field_id?: number
field_type: "range_date"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: RangeDateSettingsInput
}
}
export interface RangeDateSettingsInput {
time?: TimeSetting
calendar?: boolean
is_due_date_of_status_field?: boolean
end?: ("enabled" | "required")
}
export interface SingleRelationFieldInput {
field_id?: number
field_type: "single_relation"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleRelationSettingsInput
}
}
export interface SingleRelationSettingsInput {
referenced_apps?: ReferencedApp[]
}
export interface MultiRelationFieldInput {
field_id?: number
field_type: "multi_relation"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiRelationSettingsInput
}
}
export interface MultiRelationSettingsInput {
referenced_apps?: ReferencedApp[]
}
export interface SingleUserFieldInput {
field_id?: number
field_type: "single_user"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleUserSettingsInput
}
}
export interface SingleUserSettingsInput {
[k: string]: unknown
}
export interface MultiUserFieldInput {
field_id?: number
field_type: "multi_user"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiUserSettingsInput
}
}
export interface MultiUserSettingsInput {
[k: string]: unknown
}
export interface ChecklistFieldInput {
field_id?: number
field_type: "checklist"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: ChecklistSettingsInput
}
}
export interface ChecklistSettingsInput {
show_in_focus?: boolean
}
export interface MultiEmailFieldInput {
field_id?: number
field_type: "multi_email"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiEmailSettingsInput
}
}
export interface MultiEmailSettingsInput {
only_allow_single_entry?: boolean
}
export interface MultiPhoneFieldInput {
field_id?: number
field_type: "multi_phone"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiPhoneSettingsInput
}
}
export interface MultiPhoneSettingsInput {
only_allow_single_entry?: boolean
call_link_scheme?: ("tel" | "callto")
}
export interface MultiLinkFieldInput {
field_id?: number
field_type: "multi_link"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiLinkSettingsInput
}
}
export interface MultiLinkSettingsInput {
[k: string]: unknown
}
export interface SingleLocationFieldInput {
field_id?: number
field_type: "single_location"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleLocationSettingsInput
}
}
export interface SingleLocationSettingsInput {
has_map?: boolean
}
export interface SingleAttachmentFieldInput {
field_id?: number
field_type: "single_attachment"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: SingleAttachmentSettingsInput
}
}
export interface SingleAttachmentSettingsInput {
[k: string]: unknown
}
export interface MultiAttachmentFieldInput {
field_id?: number
field_type: "multi_attachment"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiAttachmentSettingsInput
}
}
export interface MultiAttachmentSettingsInput {
[k: string]: unknown
}
export interface MultiImageFieldInput {
field_id?: number
field_type: "multi_image"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: MultiImageSettingsInput
}
}
export interface MultiImageSettingsInput {
[k: string]: unknown
}
export interface UniqueIdFieldInput {
field_id?: number
field_type: "unique_id"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: UniqueIdSettingsInput
}
}
export interface UniqueIdSettingsInput {
min_digits?: number
prefix?: (string | null)
}
export interface CalculationFieldInput {
field_id?: number
field_type: "calculation"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: CalculationSettingsInput
}
}
export interface CalculationSettingsInput {
/**
 * The text of the expression, or a code value of texts and references to fields of the record
 */
expression?: (string | CalculationSettingsInputExpressionList)
result?: CalculationResult
decimals?: (number | null)
unit?: (string | null)
unit_location?: ("prefix" | "suffix")
}
/**
 * Reference of a code value; any other member is ignored
 */
export interface FieldInExpression {
kind: "variable"
source: "field"
field_id: number
}
export interface CreatedAtFieldInput {
field_id?: number
field_type: "created_at"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: CreatedAtSettingsInput
}
}
export interface CreatedAtSettingsInput {
[k: string]: unknown
}
export interface LastModifiedAtFieldInput {
field_id?: number
field_type: "last_modified_at"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: LastModifiedAtSettingsInput
}
}
export interface LastModifiedAtSettingsInput {
[k: string]: unknown
}
export interface CreatedByFieldInput {
field_id?: number
field_type: "created_by"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: CreatedBySettingsInput
}
}
export interface CreatedBySettingsInput {
[k: string]: unknown
}
export interface LastModifiedByFieldInput {
field_id?: number
field_type: "last_modified_by"
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: LastModifiedBySettingsInput
}
}
export interface LastModifiedBySettingsInput {
[k: string]: unknown
}
/**
 * Changes a field without saying its type; what is left out of `settings` keeps its value
 */
export interface FieldUpdate {
field_id: number
config: {
label: string
description?: (string | null)
required?: boolean
/**
 * No two live records may have the same value; texts are compared without case and accents
 */
unique?: boolean
hidden_if_empty?: boolean
always_hidden?: boolean
expression?: unknown
result?: string
decimals?: (number | null)
settings?: {
[k: string]: unknown
}
}
}
export interface AppCreate {
workspace_id: number
name: string
item_name?: string
description?: (string | null)
icon?: (Icon | null)
item_icon?: (Icon | null)
/**
 * @maxItems 500
 */
fields?: FieldInput[]
}
export interface AppSeen {
app_id: number
workspace_id: number
slug: string
external_id: string
name: string
record_name: string
item_name: string
type: "database"
description: (string | null)
position: number
config: AppConfig
fields: Field[]
/**
 * What the caller may do here: 5 everything, 3 edit records, 2 comment, 1 view
 */
permission_level: number
/**
 * Of an app with calculations: records that are not calculated by the present definition, day or related records yet
 */
calculations_pending?: number
/**
 * The job that calculates them, `GET /v1/job/{job_id}`; null: none
 */
calculations_job_id?: (number | null)
}
export interface AppList {
total: number
apps: ListedApp[]
}
export interface ListedApp {
app_id: number
workspace_id: number
slug: string
external_id: string
name: string
record_name: string
item_name: string
type: "database"
description: (string | null)
position: number
config: AppConfig
workspace_name: string
}
export interface WorkspaceMember {
workspace_id: number
user_id: number
role: WorkspaceRole
}
export interface Workspace {
workspace_id: number
name: string
slug: string
type: WorkspaceType
description: (string | null)
org_id: number
}
export interface SessionList {
sessions: Session[]
total: number
}
export interface Session {
session_id: number
created_on: string
/**
 * To ten minutes
 */
last_seen_on: string
/**
 * What the browser called itself when it was signed in
 */
agent: (string | null)
source_address: (string | null)
/**
 * The one that asks
 */
current: boolean
}
export interface OrganizationUser {
user_id: number
name: string
org_id: number
status: ("active" | "deactivated" | "invited")
email: string
phone: (string | null)
role: OrganizationRole
job_description: (string | null)
/**
 * Of who has not accepted it yet; null for others, and for those who were added without one
 */
invitation: (Invitation | null)
}
export interface Invitation {
/**
 * `queued`: its mail waits to go out · `sent`: mailed · `failed`: the mail server took it not · `shown`: the link was in the answer · `withdrawn`
 */
status: ("queued" | "sent" | "failed" | "shown" | "withdrawn")
invited_on: string
expires_on: string
}
export interface InvitedUser {
user_id: number
name: string
org_id: number
status: ("active" | "deactivated" | "invited")
email: string
phone: (string | null)
role: OrganizationRole
job_description: (string | null)
/**
 * Of who has not accepted it yet; null for others, and for those who were added without one
 */
invitation: (Invitation | null)
/**
 * Only where the service has no mail server; told once. Whoever has it can accept the invitation
 */
invitation_url?: string
}
export interface Organization {
org_id: number
active_user_id: number
name: string
slug: string
url: (string | null)
description: (string | null)
website: (string | null)
location: (string | null)
created_on: string
plan: string
}
export interface Me {
user_id: number
name: string
email: string
phone: (string | null)
image: (string | null)
job_description: (string | null)
type: "user"
org_id: number
role: OrganizationRole
status: string
timezone: string
organization: {
org_id: number
name: string
slug: string
}
credential: {
type: ("oauth_access_token" | "personal_access_token" | "user_api_key" | "session" | "automation")
client_id: (string | null)
expires_on: (string | null)
content_selection: ("all" | "selected")
workspace_ids: number[]
app_ids: number[]
}
scopes: ("organization:read" | "organization.members:manage" | "workspaces:read" | "workspaces:edit" | "workspaces.members:manage" | "apps:read" | "apps:edit" | "records:read" | "records:edit" | "records.comments:read" | "records.comments:edit" | "records:share" | "automations:read" | "automations:edit" | "automations:run" | "webhooks:manage" | "email:send" | "secrets:read" | "secrets:manage")[]
}
export interface DevApiError {
status_code: number
/**
 * Path of the request
 */
endpoint: string
error_code: string
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface InvalidJsonError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "invalid_json"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface InvalidRequestError {
status_code: 400
/**
 * Path of the request
 */
endpoint: string
error_code: "invalid_request"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface DevApiAuthenticationError {
status_code: 401
/**
 * Path of the request
 */
endpoint: string
error_code: "dev_api_authentication"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface DevApiInvalidAccessTokenError {
status_code: 401
/**
 * Path of the request
 */
endpoint: string
error_code: "dev_api_invalid_access_token"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface ForbiddenError {
status_code: 403
/**
 * Path of the request
 */
endpoint: string
error_code: "forbidden"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface InternalServerError {
status_code: 500
/**
 * Path of the request
 */
endpoint: string
error_code: "internal_server_error"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
}
export interface ServiceUnavailableError {
status_code: 503
/**
 * Path of the request
 */
endpoint: string
error_code: "service_unavailable"
/**
 * English; names the JSON path or field slug where there is one
 */
error_message: string
/**
 * `not_done`: nothing was changed. `unknown`: the answer to a commit was lost; it may have been carried out
 */
outcome?: ("not_done" | "unknown")
retry_after?: number
}
export interface RecordCreateWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * The revision that the change wrote: /v1/record/{record_id}/revision/{revision}
 */
revision_id: number
type: "record.create"
}
export interface RecordUpdateWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * The revision that the change wrote: /v1/record/{record_id}/revision/{revision}
 */
revision_id: number
type: "record.update"
}
export interface RecordDeleteWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * The revision that the change wrote: /v1/record/{record_id}/revision/{revision}
 */
revision_id: number
type: "record.delete"
}
export interface RecordRestoreWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * The revision that the change wrote: /v1/record/{record_id}/revision/{revision}
 */
revision_id: number
type: "record.restore"
}
export interface CommentCreateWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * Read it at /v1/comment/{comment_id}
 */
comment_id: number
type: "comment.create"
}
export interface CommentDeleteWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/record/{record_id}
 */
record_id: number
/**
 * Read it at /v1/comment/{comment_id}
 */
comment_id: number
type: "comment.delete"
}
export interface AppUpdateWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/app/{app_id}
 */
app_id: number
type: "app.update"
}
export interface HookFailingWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/app/{app_id}
 */
app_id: number
/**
 * The hook that it is about, never the one that is told: /v1/hook/{hook_id}
 */
other_hook_id: number
/**
 * Executions that failed in a row
 */
failures: number
/**
 * Class of the error of the last of them, such as `timeout`; `url_changed` where that ended the verification
 */
reason: string
/**
 * When, in UTC
 */
occurred_on: string
type: "hook.failing"
}
export interface HookInactiveWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/app/{app_id}
 */
app_id: number
/**
 * The hook that it is about, never the one that is told: /v1/hook/{hook_id}
 */
other_hook_id: number
/**
 * Executions that failed in a row
 */
failures: number
/**
 * Class of the error of the last of them, such as `timeout`; `url_changed` where that ended the verification
 */
reason: string
/**
 * When, in UTC
 */
occurred_on: string
type: "hook.inactive"
}
export interface AutomationBrokenWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/app/{app_id}
 */
app_id: number
/**
 * Read it at /v1/automation/{automation_id}
 */
automation_id: number
/**
 * Code of the first broken reason
 */
reason: string
/**
 * When, in UTC
 */
occurred_on: string
type: "automation.broken"
}
export interface AutomationRunFailedWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Read it at /v1/app/{app_id}
 */
app_id: number
/**
 * Read it at /v1/automation/{automation_id}
 */
automation_id: number
/**
 * Read it at /v1/automation-run/{run_id}
 */
run_id: string
/**
 * The run's `failure_reason`
 */
reason: string
/**
 * When, in UTC
 */
occurred_on: string
type: "automation.run_failed"
}
export interface HookVerifyWebhook {
/**
 * The hook that is told
 */
hook_id: number
/**
 * Valid for 24 hours
 */
code: string
type: "hook.verify"
}
