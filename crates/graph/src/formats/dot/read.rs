//! Reads DOT: statement by statement, with a stack of open braces.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::super::super::{Direction, GraphError, RawGraph, Reading};
use super::super::elements::{Elements, Mention};
use super::super::value::{Property, Reads, Value, settle_numbers};
use super::super::weights::{Weighing, is_weight, weigh};
use super::lexer::{Lexer, Token};
use super::scope::{Defaults, End, Members, Scope};

/// Maximum nesting depth of subgraphs, beyond what any tool writes.
const DEEPEST: usize = 100;
/// Memory of an edge without its attributes, in bytes.
const EDGE_BYTES: usize = 32;

struct Dot<'t, 'r> {
    words: Lexer<'t>,
    elements: Elements,
    scopes: Vec<Scope<'t>>,
    /// The ends of the current statement, in order.
    chain: Vec<End>,
    groups: HashMap<String, Members>,
    /// Rows of the edges of a strict graph, which has no duplicates.
    once: Option<HashMap<(Mention, Mention), usize>>,
    direction: Direction,
    odd_signs: usize,
    reading: &'r mut Reading,
}

/// Reads DOT.
pub fn read(text: &str, reading: &mut Reading) -> Result<RawGraph, GraphError> {
    let mut dot = Dot {
        words: Lexer::new(text),
        elements: Elements::new(text.len()),
        scopes: Vec::new(),
        chain: Vec::new(),
        groups: HashMap::new(),
        once: None,
        direction: Direction::Undirected,
        odd_signs: 0,
        reading,
    };
    dot.head()?;
    while !dot.scopes.is_empty() {
        dot.step()?;
    }
    dot.finish()
}

impl<'t> Dot<'t, '_> {
    fn head(&mut self) -> Result<(), GraphError> {
        let (mut line, mut token) = self.words.next(self.reading)?;
        if token.is_word("strict") {
            self.once = Some(HashMap::new());
            (line, token) = self.words.next(self.reading)?;
        }
        if token.is_word("digraph") {
            self.direction = Direction::Directed;
        } else if !token.is_word("graph") {
            let advice = "check the file and its format (--format)";
            return Err(self.unexpected(line, &token, "`graph` or `digraph`", advice));
        }
        (line, token) = self.words.next(self.reading)?;
        if matches!(token, Token::Bare(_) | Token::Quoted(_)) {
            (line, token) = self.words.next(self.reading)?;
        }
        if token != Token::Sign('{') {
            return Err(self.unexpected(line, &token, "`{`", "put the graph in braces"));
        }
        self.scopes.push(Scope { line, ..Scope::default() });
        Ok(())
    }

    /// Reads to the end of the next node, group, default or brace.
    fn step(&mut self) -> Result<(), GraphError> {
        let (line, token) = self.words.next(self.reading)?;
        let keyword = ["graph", "node", "edge"].into_iter().find(|word| token.is_word(word));
        match token {
            Token::Sign(';' | ',') if self.chain.is_empty() => Ok(()),
            Token::Sign('{') => self.open(None, line),
            Token::Sign('}') if self.chain.is_empty() => self.close(line),
            Token::Bare(_) if token.is_word("subgraph") => self.subgraph(line),
            Token::Bare(_) if keyword.is_some() && self.chain.is_empty() => {
                self.defaults(keyword.unwrap_or_default())
            }
            Token::Bare(_) if keyword.is_some() => {
                let advice = "put double quotes around a node with that name";
                Err(self.unexpected(line, &token, "a node or a subgraph", advice))
            }
            Token::Bare(name) => self.name(name, line),
            Token::Quoted(name) => self.name(&name, line),
            Token::End => {
                let opened = self.scopes.last().map_or(0, |scope| scope.line);
                let expected = format!("`}}` for the `{{` of line {opened}");
                let advice = "the file is truncated: download or export it again";
                Err(self.unexpected(line, &token, &expected, advice))
            }
            other => {
                let advice = "check this line and the end of the previous one";
                Err(self.unexpected(line, &other, "a node or a subgraph", advice))
            }
        }
    }

    fn unexpected(&self, line: u64, token: &Token, expected: &str, advice: &str) -> GraphError {
        self.reading.broken(Some(line), token.shown(), expected, advice)
    }

    fn open(&mut self, name: Option<String>, line: u64) -> Result<(), GraphError> {
        if self.scopes.len() == DEEPEST {
            let found = format!("braces nested more than {DEEPEST} deep");
            let advice = "check the braces before this line";
            return Err(self.reading.broken(Some(line), found, "braces that close", advice));
        }
        let outer_chain = std::mem::take(&mut self.chain);
        self.scopes.push(Scope { name, outer_chain, line, ..Scope::default() });
        Ok(())
    }

    fn close(&mut self, line: u64) -> Result<(), GraphError> {
        let Some(scope) = self.scopes.pop() else { return Ok(()) };
        if self.scopes.is_empty() {
            return Ok(());
        }
        self.chain = scope.outer_chain;
        let mut members = scope.members;
        if let Some(name) = scope.name {
            let group = self.groups.entry(name).or_default();
            group.add(members.all());
            members = Members::default();
            members.add(group.all());
        }
        self.end_group(members.all().to_vec(), line)
    }

    fn subgraph(&mut self, line: u64) -> Result<(), GraphError> {
        let named = matches!(self.words.peek(self.reading)?, Token::Bare(_) | Token::Quoted(_));
        let name = match named.then(|| self.words.next(self.reading)).transpose()? {
            Some((_, Token::Bare(name))) => Some(name.to_owned()),
            Some((_, Token::Quoted(name))) => Some(name.into_owned()),
            _ => None,
        };
        if self.words.take_sign('{', self.reading)? {
            return self.open(name, line);
        }
        let Some(name) = name else {
            let (line, token) = self.words.next(self.reading)?;
            return Err(self.unexpected(line, &token, "`{` or a name", "name the subgraph"));
        };
        let members = self.groups.get(&name).map(|group| group.all().to_vec());
        self.end_group(members.unwrap_or_default(), line)
    }

    /// Ends a group of nodes: its nodes also belong to the enclosing group.
    fn end_group(&mut self, members: Vec<Mention>, line: u64) -> Result<(), GraphError> {
        self.elements.copy(members.len() * EDGE_BYTES, line, self.reading)?;
        self.join(&members);
        self.end(End::Group(members), line)
    }

    fn join(&mut self, nodes: &[Mention]) {
        // The outermost braces contain every node; that list is not needed.
        if let [_, .., scope] = self.scopes.as_mut_slice() {
            scope.members.add(nodes);
        }
    }

    fn name(&mut self, name: &str, line: u64) -> Result<(), GraphError> {
        if self.chain.is_empty() && self.words.take_sign('=', self.reading)? {
            self.value()?;
            return Ok(());
        }
        for _ in 0..2 {
            if self.words.take_sign(':', self.reading)? {
                self.value()?;
            }
        }
        if name.is_empty() {
            let advice = "give the node a name";
            return Err(self.reading.broken(Some(line), "an empty name", "a node", advice));
        }
        let node = self.elements.mention(name);
        if self.elements.row(node).is_none() {
            let row = self.elements.add_node(node);
            let scopes = self.scopes.iter();
            for property in scopes.flat_map(|scope| scope.node_defaults.all()) {
                let copied = property.value.text.len();
                self.elements.copy(copied, line, self.reading)?;
                let cell = property.value.cell();
                self.elements.set_node(row, &property.name, cell, line, self.reading)?;
            }
        }
        self.join(&[node]);
        self.end(End::Node(node), line)
    }

    /// One end of a statement was read: either it continues or it is complete.
    fn end(&mut self, end: End, line: u64) -> Result<(), GraphError> {
        self.chain.push(end);
        if let Token::Edge { arrow } = *self.words.peek(self.reading)? {
            self.odd_signs += usize::from(arrow != (self.direction == Direction::Directed));
            self.words.next(self.reading)?;
            return Ok(());
        }
        let chain = std::mem::take(&mut self.chain);
        let attributes = self.attributes()?;
        match chain.as_slice() {
            [End::Node(node)] => self.set_node(*node, &attributes, line),
            [_] => Ok(()),
            ends => self.add_edges(ends, attributes, line),
        }
    }

    fn set_node(
        &mut self,
        node: Mention,
        attributes: &[Property<'t>],
        line: u64,
    ) -> Result<(), GraphError> {
        let row = self.elements.add_node(node);
        for Property { name, value } in attributes {
            self.elements.set_node(row, name, value.cell(), line, self.reading)?;
        }
        Ok(())
    }

    fn add_edges(
        &mut self,
        ends: &[End],
        own: Vec<Property<'t>>,
        line: u64,
    ) -> Result<(), GraphError> {
        let scopes = self.scopes.iter();
        let mut attributes: Vec<Property<'t>> = Vec::new();
        for property in scopes.flat_map(|scope| scope.edge_defaults.all()) {
            // Counted even if the statement creates no edge, since it took time.
            self.elements.copy(8 + property.value.text.len(), line, self.reading)?;
            attributes.push(property.clone());
        }
        attributes.extend(own);
        let weighing = weigh(&attributes, line, self.reading)?;
        if weighing == Weighing::Bad {
            return Ok(());
        }
        attributes.retain(|property| !is_weight(&property.name));
        let texts: usize = attributes.iter().map(|property| property.value.text.len()).sum();
        for pair in ends.windows(2) {
            let [sources, targets] = pair else { continue };
            for &source in sources.nodes() {
                for &target in targets.nodes() {
                    self.elements.copy(EDGE_BYTES + texts, line, self.reading)?;
                    let row = self.edge_row(source, target, line);
                    if let Weighing::Stated(weight) = weighing {
                        self.elements.set_weight(row, weight);
                    }
                    for Property { name, value } in &attributes {
                        self.elements.set_edge(row, name, value.cell(), line, self.reading)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn edge_row(&mut self, source: Mention, target: Mention, line: u64) -> usize {
        let Some(once) = &mut self.once else {
            return self.elements.add_edge(source, target, line);
        };
        let swap = self.direction == Direction::Undirected && target < source;
        let ends = if swap { (target, source) } else { (source, target) };
        *once.entry(ends).or_insert_with(|| self.elements.add_edge(source, target, line))
    }

    /// `node [...]` and the like.
    fn defaults(&mut self, keyword: &str) -> Result<(), GraphError> {
        if *self.words.peek(self.reading)? != Token::Sign('[') {
            let (line, token) = self.words.next(self.reading)?;
            // `graph = x` and similar are harmless mistakes.
            if token == Token::Sign('=') {
                return self.value().map(|_| ());
            }
            let advice = "put double quotes around a node with that name";
            return Err(self.unexpected(line, &token, &format!("`[` after `{keyword}`"), advice));
        }
        let attributes = self.attributes()?;
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        let defaults: Option<&mut Defaults<'t>> = match keyword {
            "node" => Some(&mut scope.node_defaults),
            "edge" => Some(&mut scope.edge_defaults),
            _ => None,
        };
        if let Some(defaults) = defaults {
            defaults.set(attributes);
        }
        Ok(())
    }

    /// Any number of attribute lists in brackets.
    fn attributes(&mut self) -> Result<Vec<Property<'t>>, GraphError> {
        let mut attributes = Vec::new();
        while self.words.take_sign('[', self.reading)? {
            loop {
                let (line, token) = self.words.next(self.reading)?;
                let name = match token {
                    Token::Sign(']') => break,
                    Token::Sign(';' | ',') => continue,
                    Token::Bare(name) => Cow::Borrowed(name),
                    Token::Quoted(name) => name,
                    other => {
                        let advice = "write attributes as [name=value, name=value]";
                        return Err(self.unexpected(line, &other, "an attribute or `]`", advice));
                    }
                };
                let value = if self.words.take_sign('=', self.reading)? {
                    self.value()?
                } else {
                    Value { text: Cow::Borrowed("true"), reads: Reads::Flag }
                };
                attributes.push(Property { name, value });
            }
        }
        Ok(attributes)
    }

    fn value(&mut self) -> Result<Value<'t>, GraphError> {
        let (line, token) = self.words.next(self.reading)?;
        match token {
            Token::Bare(text) => Ok(Value { text: Cow::Borrowed(text), reads: Reads::Literal }),
            Token::Quoted(text) => Ok(Value { text, reads: Reads::Text }),
            other => {
                let advice = "put values with other characters in double quotes";
                Err(self.unexpected(line, &other, "a value", advice))
            }
        }
    }

    fn finish(mut self) -> Result<RawGraph, GraphError> {
        // Text after the graph is ignored, including any errors in it.
        if self.words.peek(self.reading).is_ok_and(|token| *token != Token::End) {
            self.reading.note("only the first graph was read; the rest of the file was ignored");
        }
        if self.odd_signs > 0 {
            let (signs, kind) = match self.direction {
                Direction::Directed => ("--", "directed"),
                Direction::Undirected => ("->", "undirected"),
            };
            self.reading.note(format!(
                "{} edges use {signs} although the graph is {kind}; they were read like the \
                 others",
                self.odd_signs
            ));
        }
        let mut raw = self.elements.finish(self.direction, self.reading)?;
        settle_numbers(&mut raw.node_columns);
        settle_numbers(&mut raw.edges.columns);
        Ok(raw)
    }
}
