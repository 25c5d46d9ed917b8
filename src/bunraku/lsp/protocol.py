"""The structures of the Language Server Protocol 3.18; ``tests/tools/write_lsp_types.py`` writes them.

Only the type checker imports this file. Values of enumerations are numbers or texts.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class AnnotatedTextEdit(TypedDict):
    annotationId: str
    range: Range
    newText: str


class ApplyWorkspaceEditParams(TypedDict):
    edit: WorkspaceEdit
    label: NotRequired[str]
    metadata: NotRequired[WorkspaceEditMetadata]


class ApplyWorkspaceEditResult(TypedDict):
    applied: bool
    failureReason: NotRequired[str]
    failedChange: NotRequired[int]


class BaseSymbolInformation(TypedDict):
    name: str
    kind: int
    tags: NotRequired[list[int]]
    containerName: NotRequired[str]


class CallHierarchyClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


CallHierarchyIncomingCall = TypedDict(
    "CallHierarchyIncomingCall",
    {
        "from": "CallHierarchyItem",
        "fromRanges": "list[Range]",
    },
)


class CallHierarchyIncomingCallsParams(TypedDict):
    item: CallHierarchyItem
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class CallHierarchyItem(TypedDict):
    name: str
    kind: int
    uri: str
    range: Range
    selectionRange: Range
    tags: NotRequired[list[int]]
    detail: NotRequired[str]
    data: NotRequired[Any]


class CallHierarchyOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class CallHierarchyOutgoingCall(TypedDict):
    to: CallHierarchyItem
    fromRanges: list[Range]


class CallHierarchyOutgoingCallsParams(TypedDict):
    item: CallHierarchyItem
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class CallHierarchyPrepareParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class CallHierarchyRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class CancelParams(TypedDict):
    id: int | str


class ChangeAnnotation(TypedDict):
    label: str
    needsConfirmation: NotRequired[bool]
    description: NotRequired[str]


class ChangeAnnotationsSupportOptions(TypedDict):
    groupsOnLabel: NotRequired[bool]


class ClientCapabilities(TypedDict):
    workspace: NotRequired[WorkspaceClientCapabilities]
    textDocument: NotRequired[TextDocumentClientCapabilities]
    notebookDocument: NotRequired[NotebookDocumentClientCapabilities]
    window: NotRequired[WindowClientCapabilities]
    general: NotRequired[GeneralClientCapabilities]
    experimental: NotRequired[Any]


class ClientCodeActionKindOptions(TypedDict):
    valueSet: list[str]


class ClientCodeActionLiteralOptions(TypedDict):
    codeActionKind: ClientCodeActionKindOptions


class ClientCodeActionResolveOptions(TypedDict):
    properties: list[str]


class ClientCodeLensResolveOptions(TypedDict):
    properties: list[str]


class ClientCompletionItemInsertTextModeOptions(TypedDict):
    valueSet: list[int]


class ClientCompletionItemOptions(TypedDict):
    snippetSupport: NotRequired[bool]
    commitCharactersSupport: NotRequired[bool]
    documentationFormat: NotRequired[list[str]]
    deprecatedSupport: NotRequired[bool]
    preselectSupport: NotRequired[bool]
    tagSupport: NotRequired[CompletionItemTagOptions]
    insertReplaceSupport: NotRequired[bool]
    resolveSupport: NotRequired[ClientCompletionItemResolveOptions]
    insertTextModeSupport: NotRequired[ClientCompletionItemInsertTextModeOptions]
    labelDetailsSupport: NotRequired[bool]


class ClientCompletionItemOptionsKind(TypedDict):
    valueSet: NotRequired[list[int]]


class ClientCompletionItemResolveOptions(TypedDict):
    properties: list[str]


class ClientDiagnosticsTagOptions(TypedDict):
    valueSet: list[int]


class ClientFoldingRangeKindOptions(TypedDict):
    valueSet: NotRequired[list[str]]


class ClientFoldingRangeOptions(TypedDict):
    collapsedText: NotRequired[bool]


class ClientInfo(TypedDict):
    name: str
    version: NotRequired[str]


class ClientInlayHintResolveOptions(TypedDict):
    properties: list[str]


class ClientSemanticTokensRequestFullDelta(TypedDict):
    delta: NotRequired[bool]


class ClientSemanticTokensRequestOptions(TypedDict):
    range: NotRequired[Any]
    full: NotRequired[bool | ClientSemanticTokensRequestFullDelta]


class ClientShowMessageActionItemOptions(TypedDict):
    additionalPropertiesSupport: NotRequired[bool]


class ClientSignatureInformationOptions(TypedDict):
    documentationFormat: NotRequired[list[str]]
    parameterInformation: NotRequired[ClientSignatureParameterInformationOptions]
    activeParameterSupport: NotRequired[bool]
    noActiveParameterSupport: NotRequired[bool]


class ClientSignatureParameterInformationOptions(TypedDict):
    labelOffsetSupport: NotRequired[bool]


class ClientSymbolKindOptions(TypedDict):
    valueSet: NotRequired[list[int]]


class ClientSymbolResolveOptions(TypedDict):
    properties: list[str]


class ClientSymbolTagOptions(TypedDict):
    valueSet: list[int]


class CodeAction(TypedDict):
    title: str
    kind: NotRequired[str]
    diagnostics: NotRequired[list[Diagnostic]]
    isPreferred: NotRequired[bool]
    disabled: NotRequired[CodeActionDisabled]
    edit: NotRequired[WorkspaceEdit]
    command: NotRequired[Command]
    data: NotRequired[Any]
    tags: NotRequired[list[int]]


class CodeActionClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    codeActionLiteralSupport: NotRequired[ClientCodeActionLiteralOptions]
    isPreferredSupport: NotRequired[bool]
    disabledSupport: NotRequired[bool]
    dataSupport: NotRequired[bool]
    resolveSupport: NotRequired[ClientCodeActionResolveOptions]
    honorsChangeAnnotations: NotRequired[bool]
    documentationSupport: NotRequired[bool]
    tagSupport: NotRequired[CodeActionTagOptions]


class CodeActionContext(TypedDict):
    diagnostics: list[Diagnostic]
    only: NotRequired[list[str]]
    triggerKind: NotRequired[int]


class CodeActionDisabled(TypedDict):
    reason: str


class CodeActionKindDocumentation(TypedDict):
    kind: str
    command: Command


class CodeActionOptions(TypedDict):
    codeActionKinds: NotRequired[list[str]]
    documentation: NotRequired[list[CodeActionKindDocumentation]]
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class CodeActionParams(TypedDict):
    textDocument: TextDocumentIdentifier
    range: Range
    context: CodeActionContext
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class CodeActionRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    codeActionKinds: NotRequired[list[str]]
    documentation: NotRequired[list[CodeActionKindDocumentation]]
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class CodeActionTagOptions(TypedDict):
    valueSet: list[int]


class CodeDescription(TypedDict):
    href: str


class CodeLens(TypedDict):
    range: Range
    command: NotRequired[Command]
    data: NotRequired[Any]


class CodeLensClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    resolveSupport: NotRequired[ClientCodeLensResolveOptions]


class CodeLensOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class CodeLensParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class CodeLensRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class CodeLensWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class Color(TypedDict):
    red: float
    green: float
    blue: float
    alpha: float


class ColorInformation(TypedDict):
    range: Range
    color: Color


class ColorPresentation(TypedDict):
    label: str
    textEdit: NotRequired[TextEdit]
    additionalTextEdits: NotRequired[list[TextEdit]]


class ColorPresentationParams(TypedDict):
    textDocument: TextDocumentIdentifier
    color: Color
    range: Range
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class ColorPresentationRequestOptions(TypedDict):
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]


class Command(TypedDict):
    title: str
    command: str
    tooltip: NotRequired[str]
    arguments: NotRequired[list[Any | None]]


class CompletionClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    completionItem: NotRequired[ClientCompletionItemOptions]
    completionItemKind: NotRequired[ClientCompletionItemOptionsKind]
    insertTextMode: NotRequired[int]
    contextSupport: NotRequired[bool]
    completionList: NotRequired[CompletionListCapabilities]


class CompletionContext(TypedDict):
    triggerKind: int
    triggerCharacter: NotRequired[str]


class CompletionItem(TypedDict):
    label: str
    labelDetails: NotRequired[CompletionItemLabelDetails]
    kind: NotRequired[int]
    tags: NotRequired[list[int]]
    detail: NotRequired[str]
    documentation: NotRequired[str | MarkupContent]
    deprecated: NotRequired[bool]
    preselect: NotRequired[bool]
    sortText: NotRequired[str]
    filterText: NotRequired[str]
    insertText: NotRequired[str]
    insertTextFormat: NotRequired[int]
    insertTextMode: NotRequired[int]
    textEdit: NotRequired[TextEdit | InsertReplaceEdit]
    textEditText: NotRequired[str]
    additionalTextEdits: NotRequired[list[TextEdit]]
    commitCharacters: NotRequired[list[str]]
    command: NotRequired[Command]
    data: NotRequired[Any]


class CompletionItemApplyKinds(TypedDict):
    commitCharacters: NotRequired[int]
    data: NotRequired[int]


class CompletionItemDefaults(TypedDict):
    commitCharacters: NotRequired[list[str]]
    editRange: NotRequired[Range | EditRangeWithInsertReplace]
    insertTextFormat: NotRequired[int]
    insertTextMode: NotRequired[int]
    data: NotRequired[Any]


class CompletionItemLabelDetails(TypedDict):
    detail: NotRequired[str]
    description: NotRequired[str]


class CompletionItemTagOptions(TypedDict):
    valueSet: list[int]


class CompletionList(TypedDict):
    isIncomplete: bool
    items: list[CompletionItem]
    itemDefaults: NotRequired[CompletionItemDefaults]
    applyKind: NotRequired[CompletionItemApplyKinds]


class CompletionListCapabilities(TypedDict):
    itemDefaults: NotRequired[list[str]]
    applyKindSupport: NotRequired[bool]


class CompletionOptions(TypedDict):
    triggerCharacters: NotRequired[list[str]]
    allCommitCharacters: NotRequired[list[str]]
    resolveProvider: NotRequired[bool]
    completionItem: NotRequired[ServerCompletionItemOptions]
    workDoneProgress: NotRequired[bool]


class CompletionParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    context: NotRequired[CompletionContext]
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class CompletionRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    triggerCharacters: NotRequired[list[str]]
    allCommitCharacters: NotRequired[list[str]]
    resolveProvider: NotRequired[bool]
    completionItem: NotRequired[ServerCompletionItemOptions]
    workDoneProgress: NotRequired[bool]


class ConfigurationItem(TypedDict):
    scopeUri: NotRequired[str]
    section: NotRequired[str]


class ConfigurationParams(TypedDict):
    items: list[ConfigurationItem]


class CreateFile(TypedDict):
    uri: str
    kind: str
    options: NotRequired[CreateFileOptions]
    annotationId: NotRequired[str]


class CreateFileOptions(TypedDict):
    overwrite: NotRequired[bool]
    ignoreIfExists: NotRequired[bool]


class CreateFilesParams(TypedDict):
    files: list[FileCreate]


class DeclarationClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    linkSupport: NotRequired[bool]


class DeclarationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class DeclarationParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DeclarationRegistrationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    id: NotRequired[str]


class DefinitionClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    linkSupport: NotRequired[bool]


class DefinitionOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class DefinitionParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DefinitionRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class DeleteFile(TypedDict):
    uri: str
    kind: str
    options: NotRequired[DeleteFileOptions]
    annotationId: NotRequired[str]


class DeleteFileOptions(TypedDict):
    recursive: NotRequired[bool]
    ignoreIfNotExists: NotRequired[bool]


class DeleteFilesParams(TypedDict):
    files: list[FileDelete]


class Diagnostic(TypedDict):
    range: Range
    message: str
    severity: NotRequired[int]
    code: NotRequired[int | str]
    codeDescription: NotRequired[CodeDescription]
    source: NotRequired[str]
    tags: NotRequired[list[int]]
    relatedInformation: NotRequired[list[DiagnosticRelatedInformation]]
    data: NotRequired[Any]


class DiagnosticClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    relatedDocumentSupport: NotRequired[bool]
    relatedInformation: NotRequired[bool]
    tagSupport: NotRequired[ClientDiagnosticsTagOptions]
    codeDescriptionSupport: NotRequired[bool]
    dataSupport: NotRequired[bool]


class DiagnosticOptions(TypedDict):
    interFileDependencies: bool
    workspaceDiagnostics: bool
    identifier: NotRequired[str]
    workDoneProgress: NotRequired[bool]


class DiagnosticRegistrationOptions(TypedDict):
    interFileDependencies: bool
    workspaceDiagnostics: bool
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    identifier: NotRequired[str]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class DiagnosticRelatedInformation(TypedDict):
    location: Location
    message: str


class DiagnosticServerCancellationData(TypedDict):
    retriggerRequest: bool


class DiagnosticWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class DiagnosticsCapabilities(TypedDict):
    relatedInformation: NotRequired[bool]
    tagSupport: NotRequired[ClientDiagnosticsTagOptions]
    codeDescriptionSupport: NotRequired[bool]
    dataSupport: NotRequired[bool]


class DidChangeConfigurationClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class DidChangeConfigurationParams(TypedDict):
    settings: Any


class DidChangeConfigurationRegistrationOptions(TypedDict):
    section: NotRequired[str | list[str]]


class DidChangeNotebookDocumentParams(TypedDict):
    notebookDocument: VersionedNotebookDocumentIdentifier
    change: NotebookDocumentChangeEvent


class DidChangeTextDocumentParams(TypedDict):
    textDocument: VersionedTextDocumentIdentifier
    contentChanges: list[TextDocumentContentChangePartial | TextDocumentContentChangeWholeDocument]


class DidChangeWatchedFilesClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    relativePatternSupport: NotRequired[bool]


class DidChangeWatchedFilesParams(TypedDict):
    changes: list[FileEvent]


class DidChangeWatchedFilesRegistrationOptions(TypedDict):
    watchers: list[FileSystemWatcher]


class DidChangeWorkspaceFoldersParams(TypedDict):
    event: WorkspaceFoldersChangeEvent


class DidCloseNotebookDocumentParams(TypedDict):
    notebookDocument: NotebookDocumentIdentifier
    cellTextDocuments: list[TextDocumentIdentifier]


class DidCloseTextDocumentParams(TypedDict):
    textDocument: TextDocumentIdentifier


class DidOpenNotebookDocumentParams(TypedDict):
    notebookDocument: NotebookDocument
    cellTextDocuments: list[TextDocumentItem]


class DidOpenTextDocumentParams(TypedDict):
    textDocument: TextDocumentItem


class DidSaveNotebookDocumentParams(TypedDict):
    notebookDocument: NotebookDocumentIdentifier


class DidSaveTextDocumentParams(TypedDict):
    textDocument: TextDocumentIdentifier
    text: NotRequired[str]


class DocumentColorClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class DocumentColorOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class DocumentColorParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DocumentColorRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class DocumentDiagnosticParams(TypedDict):
    textDocument: TextDocumentIdentifier
    identifier: NotRequired[str]
    previousResultId: NotRequired[str]
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DocumentDiagnosticReportPartialResult(TypedDict):
    relatedDocuments: dict[str, FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport]


class DocumentFormattingClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class DocumentFormattingOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class DocumentFormattingParams(TypedDict):
    textDocument: TextDocumentIdentifier
    options: FormattingOptions
    workDoneToken: NotRequired[int | str]


class DocumentFormattingRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class DocumentHighlight(TypedDict):
    range: Range
    kind: NotRequired[int]


class DocumentHighlightClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class DocumentHighlightOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class DocumentHighlightParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DocumentHighlightRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class DocumentLink(TypedDict):
    range: Range
    target: NotRequired[str]
    tooltip: NotRequired[str]
    data: NotRequired[Any]


class DocumentLinkClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    tooltipSupport: NotRequired[bool]


class DocumentLinkOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class DocumentLinkParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DocumentLinkRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class DocumentOnTypeFormattingClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class DocumentOnTypeFormattingOptions(TypedDict):
    firstTriggerCharacter: str
    moreTriggerCharacter: NotRequired[list[str]]


class DocumentOnTypeFormattingParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    ch: str
    options: FormattingOptions


class DocumentOnTypeFormattingRegistrationOptions(TypedDict):
    firstTriggerCharacter: str
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    moreTriggerCharacter: NotRequired[list[str]]


class DocumentRangeFormattingClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    rangesSupport: NotRequired[bool]


class DocumentRangeFormattingOptions(TypedDict):
    rangesSupport: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class DocumentRangeFormattingParams(TypedDict):
    textDocument: TextDocumentIdentifier
    range: Range
    options: FormattingOptions
    workDoneToken: NotRequired[int | str]


class DocumentRangeFormattingRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    rangesSupport: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class DocumentRangesFormattingParams(TypedDict):
    textDocument: TextDocumentIdentifier
    ranges: list[Range]
    options: FormattingOptions
    workDoneToken: NotRequired[int | str]


class DocumentSymbol(TypedDict):
    name: str
    kind: int
    range: Range
    selectionRange: Range
    detail: NotRequired[str]
    tags: NotRequired[list[int]]
    deprecated: NotRequired[bool]
    children: NotRequired[list[DocumentSymbol]]


class DocumentSymbolClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    symbolKind: NotRequired[ClientSymbolKindOptions]
    hierarchicalDocumentSymbolSupport: NotRequired[bool]
    tagSupport: NotRequired[ClientSymbolTagOptions]
    labelSupport: NotRequired[bool]


class DocumentSymbolOptions(TypedDict):
    label: NotRequired[str]
    workDoneProgress: NotRequired[bool]


class DocumentSymbolParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class DocumentSymbolRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    label: NotRequired[str]
    workDoneProgress: NotRequired[bool]


class EditRangeWithInsertReplace(TypedDict):
    insert: Range
    replace: Range


class ExecuteCommandClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class ExecuteCommandOptions(TypedDict):
    commands: list[str]
    workDoneProgress: NotRequired[bool]


class ExecuteCommandParams(TypedDict):
    command: str
    arguments: NotRequired[list[Any | None]]
    workDoneToken: NotRequired[int | str]


class ExecuteCommandRegistrationOptions(TypedDict):
    commands: list[str]
    workDoneProgress: NotRequired[bool]


class ExecutionSummary(TypedDict):
    executionOrder: int
    success: NotRequired[bool]


class FileCreate(TypedDict):
    uri: str


class FileDelete(TypedDict):
    uri: str


class FileEvent(TypedDict):
    uri: str
    type: int


class FileOperationClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    didCreate: NotRequired[bool]
    willCreate: NotRequired[bool]
    didRename: NotRequired[bool]
    willRename: NotRequired[bool]
    didDelete: NotRequired[bool]
    willDelete: NotRequired[bool]


class FileOperationFilter(TypedDict):
    pattern: FileOperationPattern
    scheme: NotRequired[str]


class FileOperationOptions(TypedDict):
    didCreate: NotRequired[FileOperationRegistrationOptions]
    willCreate: NotRequired[FileOperationRegistrationOptions]
    didRename: NotRequired[FileOperationRegistrationOptions]
    willRename: NotRequired[FileOperationRegistrationOptions]
    didDelete: NotRequired[FileOperationRegistrationOptions]
    willDelete: NotRequired[FileOperationRegistrationOptions]


class FileOperationPattern(TypedDict):
    glob: str
    matches: NotRequired[str]
    options: NotRequired[FileOperationPatternOptions]


class FileOperationPatternOptions(TypedDict):
    ignoreCase: NotRequired[bool]


class FileOperationRegistrationOptions(TypedDict):
    filters: list[FileOperationFilter]


class FileRename(TypedDict):
    oldUri: str
    newUri: str


class FileSystemWatcher(TypedDict):
    globPattern: str | RelativePattern
    kind: NotRequired[int]


class FoldingRange(TypedDict):
    startLine: int
    endLine: int
    startCharacter: NotRequired[int]
    endCharacter: NotRequired[int]
    kind: NotRequired[str]
    collapsedText: NotRequired[str]


class FoldingRangeClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    rangeLimit: NotRequired[int]
    lineFoldingOnly: NotRequired[bool]
    foldingRangeKind: NotRequired[ClientFoldingRangeKindOptions]
    foldingRange: NotRequired[ClientFoldingRangeOptions]


class FoldingRangeOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class FoldingRangeParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class FoldingRangeRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class FoldingRangeWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class FormattingOptions(TypedDict):
    tabSize: int
    insertSpaces: bool
    trimTrailingWhitespace: NotRequired[bool]
    insertFinalNewline: NotRequired[bool]
    trimFinalNewlines: NotRequired[bool]


class FullDocumentDiagnosticReport(TypedDict):
    items: list[Diagnostic]
    kind: str
    resultId: NotRequired[str]


class GeneralClientCapabilities(TypedDict):
    staleRequestSupport: NotRequired[StaleRequestSupportOptions]
    regularExpressions: NotRequired[RegularExpressionsClientCapabilities]
    markdown: NotRequired[MarkdownClientCapabilities]
    positionEncodings: NotRequired[list[str]]


class Hover(TypedDict):
    contents: MarkupContent | str | MarkedStringWithLanguage | list[str | MarkedStringWithLanguage]
    range: NotRequired[Range]


class HoverClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    contentFormat: NotRequired[list[str]]


class HoverOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class HoverParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class HoverRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class ImplementationClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    linkSupport: NotRequired[bool]


class ImplementationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class ImplementationParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class ImplementationRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class InitializeError(TypedDict):
    retry: bool


class InitializeParams(TypedDict):
    capabilities: ClientCapabilities
    processId: NotRequired[int]
    clientInfo: NotRequired[ClientInfo]
    locale: NotRequired[str]
    rootPath: NotRequired[str]
    rootUri: NotRequired[str]
    initializationOptions: NotRequired[Any]
    trace: NotRequired[str]
    workDoneToken: NotRequired[int | str]
    workspaceFolders: NotRequired[list[WorkspaceFolder]]


class InitializeResult(TypedDict):
    capabilities: ServerCapabilities
    serverInfo: NotRequired[ServerInfo]


class InitializedParams(TypedDict):
    pass


class InlayHint(TypedDict):
    position: Position
    label: str | list[InlayHintLabelPart]
    kind: NotRequired[int]
    textEdits: NotRequired[list[TextEdit]]
    tooltip: NotRequired[str | MarkupContent]
    paddingLeft: NotRequired[bool]
    paddingRight: NotRequired[bool]
    data: NotRequired[Any]


class InlayHintClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    resolveSupport: NotRequired[ClientInlayHintResolveOptions]


class InlayHintLabelPart(TypedDict):
    value: str
    tooltip: NotRequired[str | MarkupContent]
    location: NotRequired[Location]
    command: NotRequired[Command]


class InlayHintOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class InlayHintParams(TypedDict):
    textDocument: TextDocumentIdentifier
    range: Range
    workDoneToken: NotRequired[int | str]


class InlayHintRegistrationOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    id: NotRequired[str]


class InlayHintWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class InlineCompletionClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class InlineCompletionContext(TypedDict):
    triggerKind: int
    selectedCompletionInfo: NotRequired[SelectedCompletionInfo]


class InlineCompletionItem(TypedDict):
    insertText: str | StringValue
    filterText: NotRequired[str]
    range: NotRequired[Range]
    command: NotRequired[Command]


class InlineCompletionList(TypedDict):
    items: list[InlineCompletionItem]


class InlineCompletionOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class InlineCompletionParams(TypedDict):
    context: InlineCompletionContext
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class InlineCompletionRegistrationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    id: NotRequired[str]


class InlineValueClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class InlineValueContext(TypedDict):
    frameId: int
    stoppedLocation: Range


class InlineValueEvaluatableExpression(TypedDict):
    range: Range
    expression: NotRequired[str]


class InlineValueOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class InlineValueParams(TypedDict):
    textDocument: TextDocumentIdentifier
    range: Range
    context: InlineValueContext
    workDoneToken: NotRequired[int | str]


class InlineValueRegistrationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    id: NotRequired[str]


class InlineValueText(TypedDict):
    range: Range
    text: str


class InlineValueVariableLookup(TypedDict):
    range: Range
    caseSensitiveLookup: bool
    variableName: NotRequired[str]


class InlineValueWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class InsertReplaceEdit(TypedDict):
    newText: str
    insert: Range
    replace: Range


class LinkedEditingRangeClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class LinkedEditingRangeOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class LinkedEditingRangeParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class LinkedEditingRangeRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class LinkedEditingRanges(TypedDict):
    ranges: list[Range]
    wordPattern: NotRequired[str]


class Location(TypedDict):
    uri: str
    range: Range


class LocationLink(TypedDict):
    targetUri: str
    targetRange: Range
    targetSelectionRange: Range
    originSelectionRange: NotRequired[Range]


class LocationUriOnly(TypedDict):
    uri: str


class LogMessageParams(TypedDict):
    type: int
    message: str


class LogTraceParams(TypedDict):
    message: str
    verbose: NotRequired[str]


class MarkdownClientCapabilities(TypedDict):
    parser: str
    version: NotRequired[str]
    allowedTags: NotRequired[list[str]]


class MarkedStringWithLanguage(TypedDict):
    language: str
    value: str


class MarkupContent(TypedDict):
    kind: str
    value: str


class MessageActionItem(TypedDict):
    title: str


class Moniker(TypedDict):
    scheme: str
    identifier: str
    unique: str
    kind: NotRequired[str]


class MonikerClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class MonikerOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class MonikerParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class MonikerRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class NotebookCell(TypedDict):
    kind: int
    document: str
    metadata: NotRequired[Any]
    executionSummary: NotRequired[ExecutionSummary]


class NotebookCellArrayChange(TypedDict):
    start: int
    deleteCount: int
    cells: NotRequired[list[NotebookCell]]


class NotebookCellLanguage(TypedDict):
    language: str


class NotebookCellTextDocumentFilter(TypedDict):
    notebook: (
        str
        | NotebookDocumentFilterNotebookType
        | NotebookDocumentFilterScheme
        | NotebookDocumentFilterPattern
    )
    language: NotRequired[str]


class NotebookDocument(TypedDict):
    uri: str
    notebookType: str
    version: int
    cells: list[NotebookCell]
    metadata: NotRequired[Any]


class NotebookDocumentCellChangeStructure(TypedDict):
    array: NotebookCellArrayChange
    didOpen: NotRequired[list[TextDocumentItem]]
    didClose: NotRequired[list[TextDocumentIdentifier]]


class NotebookDocumentCellChanges(TypedDict):
    structure: NotRequired[NotebookDocumentCellChangeStructure]
    data: NotRequired[list[NotebookCell]]
    textContent: NotRequired[list[NotebookDocumentCellContentChanges]]


class NotebookDocumentCellContentChanges(TypedDict):
    document: VersionedTextDocumentIdentifier
    changes: list[TextDocumentContentChangePartial | TextDocumentContentChangeWholeDocument]


class NotebookDocumentChangeEvent(TypedDict):
    metadata: NotRequired[Any]
    cells: NotRequired[NotebookDocumentCellChanges]


class NotebookDocumentClientCapabilities(TypedDict):
    synchronization: NotebookDocumentSyncClientCapabilities


class NotebookDocumentFilterNotebookType(TypedDict):
    notebookType: str
    scheme: NotRequired[str]
    pattern: NotRequired[str | RelativePattern]


class NotebookDocumentFilterPattern(TypedDict):
    pattern: str | RelativePattern
    notebookType: NotRequired[str]
    scheme: NotRequired[str]


class NotebookDocumentFilterScheme(TypedDict):
    scheme: str
    notebookType: NotRequired[str]
    pattern: NotRequired[str | RelativePattern]


class NotebookDocumentFilterWithCells(TypedDict):
    cells: list[NotebookCellLanguage]
    notebook: NotRequired[
        str
        | NotebookDocumentFilterNotebookType
        | NotebookDocumentFilterScheme
        | NotebookDocumentFilterPattern
    ]


class NotebookDocumentFilterWithNotebook(TypedDict):
    notebook: (
        str
        | NotebookDocumentFilterNotebookType
        | NotebookDocumentFilterScheme
        | NotebookDocumentFilterPattern
    )
    cells: NotRequired[list[NotebookCellLanguage]]


class NotebookDocumentIdentifier(TypedDict):
    uri: str


class NotebookDocumentSyncClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    executionSummarySupport: NotRequired[bool]


class NotebookDocumentSyncOptions(TypedDict):
    notebookSelector: list[NotebookDocumentFilterWithNotebook | NotebookDocumentFilterWithCells]
    save: NotRequired[bool]


class NotebookDocumentSyncRegistrationOptions(TypedDict):
    notebookSelector: list[NotebookDocumentFilterWithNotebook | NotebookDocumentFilterWithCells]
    save: NotRequired[bool]
    id: NotRequired[str]


class OptionalVersionedTextDocumentIdentifier(TypedDict):
    uri: str
    version: NotRequired[int]


class ParameterInformation(TypedDict):
    label: str | list[int]
    documentation: NotRequired[str | MarkupContent]


class PartialResultParams(TypedDict):
    partialResultToken: NotRequired[int | str]


class Position(TypedDict):
    line: int
    character: int


class PrepareRenameDefaultBehavior(TypedDict):
    defaultBehavior: bool


class PrepareRenameParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class PrepareRenamePlaceholder(TypedDict):
    range: Range
    placeholder: str


class PreviousResultId(TypedDict):
    uri: str
    value: str


class ProgressParams(TypedDict):
    token: int | str
    value: Any


class PublishDiagnosticsClientCapabilities(TypedDict):
    versionSupport: NotRequired[bool]
    relatedInformation: NotRequired[bool]
    tagSupport: NotRequired[ClientDiagnosticsTagOptions]
    codeDescriptionSupport: NotRequired[bool]
    dataSupport: NotRequired[bool]


class PublishDiagnosticsParams(TypedDict):
    uri: str
    diagnostics: list[Diagnostic]
    version: NotRequired[int]


class Range(TypedDict):
    start: Position
    end: Position


class ReferenceClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class ReferenceContext(TypedDict):
    includeDeclaration: bool


class ReferenceOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class ReferenceParams(TypedDict):
    context: ReferenceContext
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class ReferenceRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]


class Registration(TypedDict):
    id: str
    method: str
    registerOptions: NotRequired[Any]


class RegistrationParams(TypedDict):
    registrations: list[Registration]


class RegularExpressionsClientCapabilities(TypedDict):
    engine: str
    version: NotRequired[str]


class RelatedFullDocumentDiagnosticReport(TypedDict):
    items: list[Diagnostic]
    relatedDocuments: NotRequired[
        dict[str, FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport]
    ]
    kind: str
    resultId: NotRequired[str]


class RelatedUnchangedDocumentDiagnosticReport(TypedDict):
    resultId: str
    relatedDocuments: NotRequired[
        dict[str, FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport]
    ]
    kind: str


class RelativePattern(TypedDict):
    baseUri: WorkspaceFolder | str
    pattern: str


class RenameClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    prepareSupport: NotRequired[bool]
    prepareSupportDefaultBehavior: NotRequired[int]
    honorsChangeAnnotations: NotRequired[bool]


class RenameFile(TypedDict):
    oldUri: str
    newUri: str
    kind: str
    options: NotRequired[RenameFileOptions]
    annotationId: NotRequired[str]


class RenameFileOptions(TypedDict):
    overwrite: NotRequired[bool]
    ignoreIfExists: NotRequired[bool]


class RenameFilesParams(TypedDict):
    files: list[FileRename]


class RenameOptions(TypedDict):
    prepareProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class RenameParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    newName: str
    workDoneToken: NotRequired[int | str]


class RenameRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    prepareProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class ResourceOperation(TypedDict):
    kind: str
    annotationId: NotRequired[str]


class ResponseError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]


class ResponseErrorMessage(TypedDict):
    id: NotRequired[int | str]
    error: NotRequired[ResponseError]
    jsonrpc: str


class SaveOptions(TypedDict):
    includeText: NotRequired[bool]


class SelectedCompletionInfo(TypedDict):
    range: Range
    text: str


class SelectionRange(TypedDict):
    range: Range
    parent: NotRequired[SelectionRange]


class SelectionRangeClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class SelectionRangeOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class SelectionRangeParams(TypedDict):
    textDocument: TextDocumentIdentifier
    positions: list[Position]
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class SelectionRangeRegistrationOptions(TypedDict):
    workDoneProgress: NotRequired[bool]
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    id: NotRequired[str]


class SemanticTokens(TypedDict):
    data: list[int]
    resultId: NotRequired[str]


class SemanticTokensClientCapabilities(TypedDict):
    requests: ClientSemanticTokensRequestOptions
    tokenTypes: list[str]
    tokenModifiers: list[str]
    formats: list[str]
    dynamicRegistration: NotRequired[bool]
    overlappingTokenSupport: NotRequired[bool]
    multilineTokenSupport: NotRequired[bool]
    serverCancelSupport: NotRequired[bool]
    augmentsSyntaxTokens: NotRequired[bool]


class SemanticTokensDelta(TypedDict):
    edits: list[SemanticTokensEdit]
    resultId: NotRequired[str]


class SemanticTokensDeltaParams(TypedDict):
    textDocument: TextDocumentIdentifier
    previousResultId: str
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class SemanticTokensDeltaPartialResult(TypedDict):
    edits: list[SemanticTokensEdit]


class SemanticTokensEdit(TypedDict):
    start: int
    deleteCount: int
    data: NotRequired[list[int]]


class SemanticTokensFullDelta(TypedDict):
    delta: NotRequired[bool]


class SemanticTokensLegend(TypedDict):
    tokenTypes: list[str]
    tokenModifiers: list[str]


class SemanticTokensOptions(TypedDict):
    legend: SemanticTokensLegend
    range: NotRequired[Any]
    full: NotRequired[bool | SemanticTokensFullDelta]
    workDoneProgress: NotRequired[bool]


class SemanticTokensParams(TypedDict):
    textDocument: TextDocumentIdentifier
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class SemanticTokensPartialResult(TypedDict):
    data: list[int]


class SemanticTokensRangeParams(TypedDict):
    textDocument: TextDocumentIdentifier
    range: Range
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class SemanticTokensRegistrationOptions(TypedDict):
    legend: SemanticTokensLegend
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    range: NotRequired[Any]
    full: NotRequired[bool | SemanticTokensFullDelta]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class SemanticTokensWorkspaceClientCapabilities(TypedDict):
    refreshSupport: NotRequired[bool]


class ServerCapabilities(TypedDict):
    positionEncoding: NotRequired[str]
    textDocumentSync: NotRequired[TextDocumentSyncOptions | int]
    notebookDocumentSync: NotRequired[
        NotebookDocumentSyncOptions | NotebookDocumentSyncRegistrationOptions
    ]
    completionProvider: NotRequired[CompletionOptions]
    hoverProvider: NotRequired[bool | HoverOptions]
    signatureHelpProvider: NotRequired[SignatureHelpOptions]
    declarationProvider: NotRequired[bool | DeclarationOptions | DeclarationRegistrationOptions]
    definitionProvider: NotRequired[bool | DefinitionOptions]
    typeDefinitionProvider: NotRequired[
        bool | TypeDefinitionOptions | TypeDefinitionRegistrationOptions
    ]
    implementationProvider: NotRequired[
        bool | ImplementationOptions | ImplementationRegistrationOptions
    ]
    referencesProvider: NotRequired[bool | ReferenceOptions]
    documentHighlightProvider: NotRequired[bool | DocumentHighlightOptions]
    documentSymbolProvider: NotRequired[bool | DocumentSymbolOptions]
    codeActionProvider: NotRequired[bool | CodeActionOptions]
    codeLensProvider: NotRequired[CodeLensOptions]
    documentLinkProvider: NotRequired[DocumentLinkOptions]
    colorProvider: NotRequired[bool | DocumentColorOptions | DocumentColorRegistrationOptions]
    workspaceSymbolProvider: NotRequired[bool | WorkspaceSymbolOptions]
    documentFormattingProvider: NotRequired[bool | DocumentFormattingOptions]
    documentRangeFormattingProvider: NotRequired[bool | DocumentRangeFormattingOptions]
    documentOnTypeFormattingProvider: NotRequired[DocumentOnTypeFormattingOptions]
    renameProvider: NotRequired[bool | RenameOptions]
    foldingRangeProvider: NotRequired[bool | FoldingRangeOptions | FoldingRangeRegistrationOptions]
    selectionRangeProvider: NotRequired[
        bool | SelectionRangeOptions | SelectionRangeRegistrationOptions
    ]
    executeCommandProvider: NotRequired[ExecuteCommandOptions]
    callHierarchyProvider: NotRequired[
        bool | CallHierarchyOptions | CallHierarchyRegistrationOptions
    ]
    linkedEditingRangeProvider: NotRequired[
        bool | LinkedEditingRangeOptions | LinkedEditingRangeRegistrationOptions
    ]
    semanticTokensProvider: NotRequired[SemanticTokensOptions | SemanticTokensRegistrationOptions]
    monikerProvider: NotRequired[bool | MonikerOptions | MonikerRegistrationOptions]
    typeHierarchyProvider: NotRequired[
        bool | TypeHierarchyOptions | TypeHierarchyRegistrationOptions
    ]
    inlineValueProvider: NotRequired[bool | InlineValueOptions | InlineValueRegistrationOptions]
    inlayHintProvider: NotRequired[bool | InlayHintOptions | InlayHintRegistrationOptions]
    diagnosticProvider: NotRequired[DiagnosticOptions | DiagnosticRegistrationOptions]
    inlineCompletionProvider: NotRequired[bool | InlineCompletionOptions]
    workspace: NotRequired[WorkspaceOptions]
    experimental: NotRequired[Any]


class ServerCompletionItemOptions(TypedDict):
    labelDetailsSupport: NotRequired[bool]


class ServerInfo(TypedDict):
    name: str
    version: NotRequired[str]


class SetTraceParams(TypedDict):
    value: str


class ShowDocumentClientCapabilities(TypedDict):
    support: bool


class ShowDocumentParams(TypedDict):
    uri: str
    external: NotRequired[bool]
    takeFocus: NotRequired[bool]
    selection: NotRequired[Range]


class ShowDocumentResult(TypedDict):
    success: bool


class ShowMessageParams(TypedDict):
    type: int
    message: str


class ShowMessageRequestClientCapabilities(TypedDict):
    messageActionItem: NotRequired[ClientShowMessageActionItemOptions]


class ShowMessageRequestParams(TypedDict):
    type: int
    message: str
    actions: NotRequired[list[MessageActionItem]]


class SignatureHelp(TypedDict):
    signatures: list[SignatureInformation]
    activeSignature: NotRequired[int]
    activeParameter: NotRequired[int]


class SignatureHelpClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    signatureInformation: NotRequired[ClientSignatureInformationOptions]
    contextSupport: NotRequired[bool]


class SignatureHelpContext(TypedDict):
    triggerKind: int
    isRetrigger: bool
    triggerCharacter: NotRequired[str]
    activeSignatureHelp: NotRequired[SignatureHelp]


class SignatureHelpOptions(TypedDict):
    triggerCharacters: NotRequired[list[str]]
    retriggerCharacters: NotRequired[list[str]]
    workDoneProgress: NotRequired[bool]


class SignatureHelpParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    context: NotRequired[SignatureHelpContext]
    workDoneToken: NotRequired[int | str]


class SignatureHelpRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    triggerCharacters: NotRequired[list[str]]
    retriggerCharacters: NotRequired[list[str]]
    workDoneProgress: NotRequired[bool]


class SignatureInformation(TypedDict):
    label: str
    documentation: NotRequired[str | MarkupContent]
    parameters: NotRequired[list[ParameterInformation]]
    activeParameter: NotRequired[int]


class SnippetTextEdit(TypedDict):
    range: Range
    snippet: StringValue
    annotationId: NotRequired[str]


class StaleRequestSupportOptions(TypedDict):
    cancel: bool
    retryOnContentModified: list[str]


class StaticRegistrationOptions(TypedDict):
    id: NotRequired[str]


class StringValue(TypedDict):
    value: str
    kind: str


class SymbolInformation(TypedDict):
    location: Location
    name: str
    kind: int
    deprecated: NotRequired[bool]
    tags: NotRequired[list[int]]
    containerName: NotRequired[str]


class TextDocumentChangeRegistrationOptions(TypedDict):
    syncKind: int
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]


class TextDocumentClientCapabilities(TypedDict):
    synchronization: NotRequired[TextDocumentSyncClientCapabilities]
    filters: NotRequired[TextDocumentFilterClientCapabilities]
    completion: NotRequired[CompletionClientCapabilities]
    hover: NotRequired[HoverClientCapabilities]
    signatureHelp: NotRequired[SignatureHelpClientCapabilities]
    declaration: NotRequired[DeclarationClientCapabilities]
    definition: NotRequired[DefinitionClientCapabilities]
    typeDefinition: NotRequired[TypeDefinitionClientCapabilities]
    implementation: NotRequired[ImplementationClientCapabilities]
    references: NotRequired[ReferenceClientCapabilities]
    documentHighlight: NotRequired[DocumentHighlightClientCapabilities]
    documentSymbol: NotRequired[DocumentSymbolClientCapabilities]
    codeAction: NotRequired[CodeActionClientCapabilities]
    codeLens: NotRequired[CodeLensClientCapabilities]
    documentLink: NotRequired[DocumentLinkClientCapabilities]
    colorProvider: NotRequired[DocumentColorClientCapabilities]
    formatting: NotRequired[DocumentFormattingClientCapabilities]
    rangeFormatting: NotRequired[DocumentRangeFormattingClientCapabilities]
    onTypeFormatting: NotRequired[DocumentOnTypeFormattingClientCapabilities]
    rename: NotRequired[RenameClientCapabilities]
    foldingRange: NotRequired[FoldingRangeClientCapabilities]
    selectionRange: NotRequired[SelectionRangeClientCapabilities]
    publishDiagnostics: NotRequired[PublishDiagnosticsClientCapabilities]
    callHierarchy: NotRequired[CallHierarchyClientCapabilities]
    semanticTokens: NotRequired[SemanticTokensClientCapabilities]
    linkedEditingRange: NotRequired[LinkedEditingRangeClientCapabilities]
    moniker: NotRequired[MonikerClientCapabilities]
    typeHierarchy: NotRequired[TypeHierarchyClientCapabilities]
    inlineValue: NotRequired[InlineValueClientCapabilities]
    inlayHint: NotRequired[InlayHintClientCapabilities]
    diagnostic: NotRequired[DiagnosticClientCapabilities]
    inlineCompletion: NotRequired[InlineCompletionClientCapabilities]


class TextDocumentContentChangePartial(TypedDict):
    range: Range
    text: str
    rangeLength: NotRequired[int]


class TextDocumentContentChangeWholeDocument(TypedDict):
    text: str


class TextDocumentContentClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class TextDocumentContentOptions(TypedDict):
    schemes: list[str]


class TextDocumentContentParams(TypedDict):
    uri: str


class TextDocumentContentRefreshParams(TypedDict):
    uri: str


class TextDocumentContentRegistrationOptions(TypedDict):
    schemes: list[str]
    id: NotRequired[str]


class TextDocumentContentResult(TypedDict):
    text: str


class TextDocumentEdit(TypedDict):
    textDocument: OptionalVersionedTextDocumentIdentifier
    edits: list[TextEdit | AnnotatedTextEdit | SnippetTextEdit]


class TextDocumentFilterClientCapabilities(TypedDict):
    relativePatternSupport: NotRequired[bool]


class TextDocumentFilterLanguage(TypedDict):
    language: str
    scheme: NotRequired[str]
    pattern: NotRequired[str | RelativePattern]


class TextDocumentFilterPattern(TypedDict):
    pattern: str | RelativePattern
    language: NotRequired[str]
    scheme: NotRequired[str]


class TextDocumentFilterScheme(TypedDict):
    scheme: str
    language: NotRequired[str]
    pattern: NotRequired[str | RelativePattern]


class TextDocumentIdentifier(TypedDict):
    uri: str


class TextDocumentItem(TypedDict):
    uri: str
    languageId: str
    version: int
    text: str


class TextDocumentPositionParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position


class TextDocumentRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]


class TextDocumentSaveRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    includeText: NotRequired[bool]


class TextDocumentSyncClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    willSave: NotRequired[bool]
    willSaveWaitUntil: NotRequired[bool]
    didSave: NotRequired[bool]


class TextDocumentSyncOptions(TypedDict):
    openClose: NotRequired[bool]
    change: NotRequired[int]
    willSave: NotRequired[bool]
    willSaveWaitUntil: NotRequired[bool]
    save: NotRequired[bool | SaveOptions]


class TextEdit(TypedDict):
    range: Range
    newText: str


class TypeDefinitionClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    linkSupport: NotRequired[bool]


class TypeDefinitionOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class TypeDefinitionParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class TypeDefinitionRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class TypeHierarchyClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]


class TypeHierarchyItem(TypedDict):
    name: str
    kind: int
    uri: str
    range: Range
    selectionRange: Range
    tags: NotRequired[list[int]]
    detail: NotRequired[str]
    data: NotRequired[Any]


class TypeHierarchyOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class TypeHierarchyPrepareParams(TypedDict):
    textDocument: TextDocumentIdentifier
    position: Position
    workDoneToken: NotRequired[int | str]


class TypeHierarchyRegistrationOptions(TypedDict):
    documentSelector: NotRequired[
        list[
            TextDocumentFilterLanguage
            | TextDocumentFilterScheme
            | TextDocumentFilterPattern
            | NotebookCellTextDocumentFilter
        ]
    ]
    workDoneProgress: NotRequired[bool]
    id: NotRequired[str]


class TypeHierarchySubtypesParams(TypedDict):
    item: TypeHierarchyItem
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class TypeHierarchySupertypesParams(TypedDict):
    item: TypeHierarchyItem
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class UnchangedDocumentDiagnosticReport(TypedDict):
    resultId: str
    kind: str


class Unregistration(TypedDict):
    id: str
    method: str


class UnregistrationParams(TypedDict):
    unregisterations: list[Unregistration]


class VersionedNotebookDocumentIdentifier(TypedDict):
    version: int
    uri: str


class VersionedTextDocumentIdentifier(TypedDict):
    version: int
    uri: str


class WillSaveTextDocumentParams(TypedDict):
    textDocument: TextDocumentIdentifier
    reason: int


class WindowClientCapabilities(TypedDict):
    workDoneProgress: NotRequired[bool]
    showMessage: NotRequired[ShowMessageRequestClientCapabilities]
    showDocument: NotRequired[ShowDocumentClientCapabilities]


class WorkDoneProgressBegin(TypedDict):
    title: str
    kind: str
    cancellable: NotRequired[bool]
    message: NotRequired[str]
    percentage: NotRequired[int]


class WorkDoneProgressCancelParams(TypedDict):
    token: int | str


class WorkDoneProgressCreateParams(TypedDict):
    token: int | str


class WorkDoneProgressEnd(TypedDict):
    kind: str
    message: NotRequired[str]


class WorkDoneProgressOptions(TypedDict):
    workDoneProgress: NotRequired[bool]


class WorkDoneProgressParams(TypedDict):
    workDoneToken: NotRequired[int | str]


class WorkDoneProgressReport(TypedDict):
    kind: str
    cancellable: NotRequired[bool]
    message: NotRequired[str]
    percentage: NotRequired[int]


class WorkspaceClientCapabilities(TypedDict):
    applyEdit: NotRequired[bool]
    workspaceEdit: NotRequired[WorkspaceEditClientCapabilities]
    didChangeConfiguration: NotRequired[DidChangeConfigurationClientCapabilities]
    didChangeWatchedFiles: NotRequired[DidChangeWatchedFilesClientCapabilities]
    symbol: NotRequired[WorkspaceSymbolClientCapabilities]
    executeCommand: NotRequired[ExecuteCommandClientCapabilities]
    workspaceFolders: NotRequired[bool]
    configuration: NotRequired[bool]
    semanticTokens: NotRequired[SemanticTokensWorkspaceClientCapabilities]
    codeLens: NotRequired[CodeLensWorkspaceClientCapabilities]
    fileOperations: NotRequired[FileOperationClientCapabilities]
    inlineValue: NotRequired[InlineValueWorkspaceClientCapabilities]
    inlayHint: NotRequired[InlayHintWorkspaceClientCapabilities]
    diagnostics: NotRequired[DiagnosticWorkspaceClientCapabilities]
    foldingRange: NotRequired[FoldingRangeWorkspaceClientCapabilities]
    textDocumentContent: NotRequired[TextDocumentContentClientCapabilities]


class WorkspaceDiagnosticParams(TypedDict):
    previousResultIds: list[PreviousResultId]
    identifier: NotRequired[str]
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class WorkspaceDiagnosticReport(TypedDict):
    items: list[WorkspaceFullDocumentDiagnosticReport | WorkspaceUnchangedDocumentDiagnosticReport]


class WorkspaceDiagnosticReportPartialResult(TypedDict):
    items: list[WorkspaceFullDocumentDiagnosticReport | WorkspaceUnchangedDocumentDiagnosticReport]


class WorkspaceEdit(TypedDict):
    changes: NotRequired[dict[str, list[TextEdit]]]
    documentChanges: NotRequired[list[TextDocumentEdit | CreateFile | RenameFile | DeleteFile]]
    changeAnnotations: NotRequired[dict[str, ChangeAnnotation]]


class WorkspaceEditClientCapabilities(TypedDict):
    documentChanges: NotRequired[bool]
    resourceOperations: NotRequired[list[str]]
    failureHandling: NotRequired[str]
    normalizesLineEndings: NotRequired[bool]
    changeAnnotationSupport: NotRequired[ChangeAnnotationsSupportOptions]
    metadataSupport: NotRequired[bool]
    snippetEditSupport: NotRequired[bool]


class WorkspaceEditMetadata(TypedDict):
    isRefactoring: NotRequired[bool]


class WorkspaceFolder(TypedDict):
    uri: str
    name: str


class WorkspaceFoldersChangeEvent(TypedDict):
    added: list[WorkspaceFolder]
    removed: list[WorkspaceFolder]


class WorkspaceFoldersInitializeParams(TypedDict):
    workspaceFolders: NotRequired[list[WorkspaceFolder]]


class WorkspaceFoldersServerCapabilities(TypedDict):
    supported: NotRequired[bool]
    changeNotifications: NotRequired[str | bool]


class WorkspaceFullDocumentDiagnosticReport(TypedDict):
    uri: str
    items: list[Diagnostic]
    version: NotRequired[int]
    kind: str
    resultId: NotRequired[str]


class WorkspaceOptions(TypedDict):
    workspaceFolders: NotRequired[WorkspaceFoldersServerCapabilities]
    fileOperations: NotRequired[FileOperationOptions]
    textDocumentContent: NotRequired[
        TextDocumentContentOptions | TextDocumentContentRegistrationOptions
    ]


class WorkspaceSymbol(TypedDict):
    location: Location | LocationUriOnly
    name: str
    kind: int
    data: NotRequired[Any]
    tags: NotRequired[list[int]]
    containerName: NotRequired[str]


class WorkspaceSymbolClientCapabilities(TypedDict):
    dynamicRegistration: NotRequired[bool]
    symbolKind: NotRequired[ClientSymbolKindOptions]
    tagSupport: NotRequired[ClientSymbolTagOptions]
    resolveSupport: NotRequired[ClientSymbolResolveOptions]


class WorkspaceSymbolOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class WorkspaceSymbolParams(TypedDict):
    query: str
    workDoneToken: NotRequired[int | str]
    partialResultToken: NotRequired[int | str]


class WorkspaceSymbolRegistrationOptions(TypedDict):
    resolveProvider: NotRequired[bool]
    workDoneProgress: NotRequired[bool]


class WorkspaceUnchangedDocumentDiagnosticReport(TypedDict):
    uri: str
    resultId: str
    version: NotRequired[int]
    kind: str


class _InitializeParams(TypedDict):
    capabilities: ClientCapabilities
    processId: NotRequired[int]
    clientInfo: NotRequired[ClientInfo]
    locale: NotRequired[str]
    rootPath: NotRequired[str]
    rootUri: NotRequired[str]
    initializationOptions: NotRequired[Any]
    trace: NotRequired[str]
    workDoneToken: NotRequired[int | str]
