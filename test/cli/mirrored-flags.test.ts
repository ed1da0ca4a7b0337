import type { Command } from '@oclif/core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { COMMANDS } from '../../src/cli/commands.ts';
import { fieldFor } from '../../src/cli/flags/request.ts';
import { CaptureSessionsRequest, CaptureStatsRequest, CaptureUndoRequest } from '../../src/memory/operations/capture-operations.ts';
import { GenerateKeyRequest } from '../../src/memory/operations/key-operations.ts';
import { ArchiveRequest, CompactRequest, ForgetRequest, RestoreRequest } from '../../src/memory/operations/lifecycle-operations.ts';
import { MergeNamespacesRequest, MoveRequest, RenameNamespaceRequest } from '../../src/memory/operations/namespace-operations.ts';
import {
  DiagnoseRequest,
  ExplainRequest,
  ExportRequest,
  ListRequest,
  MigrateRequest,
  RecallRequest,
  SaveRequest,
  SearchRequest,
} from '../../src/memory/operations/operations.ts';
import {
  EntitiesRequest,
  GraphRequest,
  RelatedRequest,
  RelateRequest,
  RelationsRequest,
  RenamePathRequest,
  UnrelateRequest,
} from '../../src/memory/operations/relation-operations.ts';
import { StatsRequest } from '../../src/memory/operations/statistics-operations.ts';

/** The requests that a command makes of its flags. */
const REQUESTS: Readonly<Record<string, readonly z.ZodObject[]>> = {
  archive: [ArchiveRequest],
  'archive:compact': [CompactRequest],
  'archive:restore': [RestoreRequest],
  'auth:generate-key': [GenerateKeyRequest],
  'capture:sessions': [CaptureSessionsRequest],
  'capture:stats': [CaptureStatsRequest],
  'capture:undo': [CaptureUndoRequest],
  doctor: [DiagnoseRequest],
  entities: [EntitiesRequest],
  'entities:rename': [RenamePathRequest],
  explain: [ExplainRequest],
  export: [ExportRequest],
  forget: [ForgetRequest],
  list: [ListRequest],
  migrate: [MigrateRequest],
  'namespace:merge': [MergeNamespacesRequest],
  'namespace:move': [MoveRequest],
  'namespace:rename': [RenameNamespaceRequest],
  recall: [RecallRequest, SearchRequest],
  relate: [RelateRequest],
  relations: [RelationsRequest, RelatedRequest, GraphRequest],
  save: [SaveRequest],
  stats: [StatsRequest],
  unrelate: [UnrelateRequest],
};
/** `--all` of an export exports all there is; of other commands it means every namespace. */
const OF_EVERY_NAMESPACE = 'all';

const mirrored = Object.entries(REQUESTS).flatMap(([id, requests]) => {
  const command = COMMANDS[id]!;
  return Object.entries<Command.Flag.Any>({ ...command.flags }).flatMap(([name, flag]) =>
    name === OF_EVERY_NAMESPACE && id !== 'export'
      ? []
      : requests.flatMap((request) => {
          const field = fieldFor(request, name);
          return field === undefined ? [] : [{ title: `${id} --${name}`, flag, field }];
        }),
  );
});

it.each(mirrored)('$title accepts what its field of the request accepts', ({ flag, field }) => {
  const { multiple = false, options, helpValue } = flag as { multiple?: boolean; options?: readonly string[]; helpValue?: string };
  const taken = { isSwitch: flag.type === 'boolean', isList: multiple, isNumber: helpValue === 'N', options };
  expect(taken).toEqual({
    isSwitch: field instanceof z.ZodBoolean,
    isList: field instanceof z.ZodArray,
    isNumber: field instanceof z.ZodNumber,
    options: field instanceof z.ZodEnum ? field.options : undefined,
  });
});

it('most flags of these commands are fields', () => {
  expect(mirrored.length).toBeGreaterThan(100);
});
