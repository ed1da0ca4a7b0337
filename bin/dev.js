#!/usr/bin/env node
/// <reference types="node" />
// The command line with development warnings. Runs the last build in dist/.
process.env.NODE_ENV = 'development';
require('./run.js');
